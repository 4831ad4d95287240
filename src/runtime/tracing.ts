// Spans for operators who bring an OpenTelemetry SDK: the tracer, if there is one, and the span of a background job.
import { context, type ProxyTracerProvider, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { GatewayError } from '../records/errors.ts';

/** The tracer of the SDK that was registered before the program; undefined without one, and then nothing else of tracing runs. */
export function registeredTracer(): Tracer | undefined {
  // What the interface of the API gives without an SDK is a tracer that does nothing, at the cost of a span and a context per request.
  return (trace.getTracerProvider() as ProxyTracerProvider).getDelegateTracer('ledger-gateway');
}

/** Runs a background job within a span of its own trace. */
export async function tracedJob<T>(tracer: Tracer, task: string, job: { id: string; attempt: number }, run: () => Promise<T>): Promise<T> {
  const attributes = {
    'messaging.system': 'pg-boss',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': task,
    'messaging.message.id': job.id,
    'gateway.job.attempt': job.attempt,
  };
  const span = tracer.startSpan(`process ${task}`, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT);
  try {
    return await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
  } catch (error) {
    // Never its text, which may hold what a caller sent.
    span.setAttribute('error.type', error instanceof GatewayError ? error.code : (error as Error).name);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
