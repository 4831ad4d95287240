// A span for each request, by OpenTelemetry's conventions for HTTP servers and GraphQL. It holds codes, operation names and paths, and nothing else a caller sent.
import { context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { RequestWithId } from './request.ts';
import { observedPath, type RequestObserver, statusSent } from './request-log.ts';

/** Most characters of an operation name; callers choose it, and it may be as long as a body. */
const LONGEST_NAME = 100;

/** Begins the span of a request and runs the rest of the request in it. */
export function beginSpans(tracer: Tracer): RequestHandler {
  return (incoming, _, next) => {
    const request = incoming;
    const path = observedPath(request);
    if (path === undefined) {
      next();
      return;
    }
    const active = context.active();
    // The operator's own instrumentation may have begun a span for the request; it has read the trace header then.
    const parent = trace.getSpan(active) ? active : propagation.extract(active, request.headers);
    const attributes = { 'http.request.method': request.method, 'url.scheme': request.protocol, 'url.path': path };
    request.span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
    context.with(trace.setSpan(parent, request.span), next);
  };
}

/** Ends the span of a request with the route, operation and error that its handlers recorded. */
export const endSpan: RequestObserver = (observed, response) => {
  const request = observed as RequestWithId;
  const { span, template, graphql } = request;
  if (!span) return;
  const name = graphql?.name?.slice(0, LONGEST_NAME);
  if (name !== undefined || template !== undefined) span.updateName(name ?? `${request.method} ${template}`);
  if (template !== undefined) span.setAttribute('http.route', template);
  if (name !== undefined) span.setAttribute('graphql.operation.name', name);
  if (graphql) span.setAttribute('graphql.operation.type', graphql.kind);
  const code = (request.context?.errorCodes ?? request.errorCodes)?.[0];
  if (code !== undefined) span.setAttribute('error.type', code);
  const status = statusSent(response);
  if (status !== 0) span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};
