// The part of Swagger UI the docs page calls; the package ships no types.
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  const SwaggerUI: (options: Record<string, unknown>) => { preauthorizeApiKey(scheme: string, key: string): void };

  export { SwaggerUI as default };
}
