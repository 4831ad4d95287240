// OpenTelemetry for operators who load an SDK: the tracer, if there is one, and the span of a background job.
import { context, type ProxyTracerProvider, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { GatewayError } from '../records/errors.ts';

/** The tracer of the SDK that was registered before the program started; undefined without one, and then no tracing code runs. */
export function registeredTracer(): Tracer | undefined {
  // The API's own tracer does nothing without an SDK, but costs a span and a context per request.
  return (trace.getTracerProvider() as ProxyTracerProvider).getDelegateTracer('ledger-gateway');
}

/** Runs a background job in a span of its own trace. */
export async function tracedJob<T>(
  tracer: Tracer,
  { system, task, id, attempt }: { system: string; task: string; id: string; attempt: number },
  run: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'messaging.system': system,
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': task,
    'messaging.message.id': id,
    'gateway.job.attempt': attempt,
  };
  const span = tracer.startSpan(`process ${task}`, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT);
  try {
    return await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
  } catch (error) {
    // Not the message, which may hold data of a caller.
    span.setAttribute('error.type', error instanceof GatewayError ? error.code : (error as Error).name);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
