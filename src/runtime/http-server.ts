// Node's HTTP server. An import of `node:http` evaluates all that the module exports; its WebSocket loads undici, which only outgoing requests need.
const http = process.getBuiltinModule('node:http');

/** As in `node:http`. */
export const { createServer, IncomingMessage, ServerResponse } = http;
