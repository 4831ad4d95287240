// REST docs: Swagger UI over one OpenAPI document, with the GraphQL twin of every operation.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './style.css';
import './docs.css';
import { fetchMap, keyHeaders, type MappedOperation } from './map.ts';

interface System {
  React: typeof import('react');
  getComponent: (name: string) => unknown;
}

interface Spec {
  servers?: { url: string }[];
}

type Find = (path: string, method: string) => MappedOperation | undefined;

/** Swagger UI plugin: puts the twin above the parameters of an operation. */
function twins(find: Find) {
  return () => ({
    wrapComponents: {
      parameters:
        (Original: React.ComponentType<{ pathMethod?: string[] }>, { React }: System) =>
        (props: { pathMethod?: string[] }) => {
          const [path = '', method = ''] = props.pathMethod ?? [];
          const twin = find(path, method);
          const original = React.createElement(Original, props);
          if (!twin) return original;
          const variables = Object.keys(twin.variables).length ? `\n\n# variables\n${JSON.stringify(twin.variables, null, 2)}` : '';
          return React.createElement(
            React.Fragment,
            null,
            React.createElement(
              'div',
              { className: 'graphql-twin' },
              React.createElement(
                'p',
                null,
                React.createElement('span', null, 'As GraphQL'),
                React.createElement('code', null, twin.id),
                React.createElement('a', { href: twin.playground }, 'Open in GraphiQL'),
              ),
              React.createElement(
                'details',
                null,
                React.createElement('summary', null, 'Show document'),
                React.createElement('pre', { tabIndex: 0 }, `${twin.document.trim()}${variables}`),
              ),
            ),
            original,
          );
        },
    },
  });
}

async function start(container: HTMLElement): Promise<void> {
  const address = container.dataset.openapi ?? '';
  const [spec, map] = await Promise.all([fetch(address).then((response) => response.json() as Promise<Spec>), fetchMap()]);
  const bases = (spec.servers ?? [{ url: '/' }]).map(({ url }) => new URL(url, location.href).pathname.replace(/\/$/, ''));
  const find: Find = (path, method) =>
    map.operations.find(
      (twin) => twin.method.toLowerCase() === method.toLowerCase() && bases.some((base) => `${base}${path}` === twin.path),
    );
  SwaggerUI({
    domNode: container,
    spec,
    validatorUrl: null,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    requestSnippetsEnabled: true,
    plugins: [twins(find)],
    requestInterceptor: (request: { headers: Record<string, string> }) => ({
      ...request,
      headers: { ...keyHeaders(), ...request.headers },
    }),
  });
}

const container = document.getElementById('docs');
if (container) {
  start(container).catch((error: unknown) => {
    container.textContent = `The documentation could not be loaded: ${String(error)}`;
  });
}
