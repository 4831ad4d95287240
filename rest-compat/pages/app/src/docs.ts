// REST docs: Swagger UI over one OpenAPI document.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './style.css';
import './docs.css';
import { correctSwaggerUI, keepCorrecting } from './corrections.ts';
import { demoKeys, fetchMap, keyHeaders } from './map.ts';
import { type Find, gatewayPlugin } from './swagger-plugin.ts';

interface Spec {
  servers?: { url: string }[];
}

async function start(container: HTMLElement): Promise<void> {
  const address = container.dataset.openapi ?? '';
  const [spec, map] = await Promise.all([fetch(address).then((response) => response.json() as Promise<Spec>), fetchMap()]);
  const bases = (spec.servers ?? [{ url: '/' }]).map(({ url }) => new URL(url, location.href).pathname.replace(/\/$/, ''));
  const find: Find = (path, method) =>
    map.operations.find(
      (twin) => twin.method.toLowerCase() === method.toLowerCase() && bases.some((base) => `${base}${path}` === twin.path),
    );
  const ui = SwaggerUI({
    domNode: container,
    spec,
    validatorUrl: null,
    deepLinking: true,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    layout: 'GatewayLayout',
    plugins: [gatewayPlugin(find)],
    onComplete: () => {
      for (const [header, key] of demoKeys(map)) ui.preauthorizeApiKey(header === 'Authorization' ? 'bearer' : header, key);
    },
    // The key typed in the playground is sent from here too, unless "Authorize" gave another one.
    requestInterceptor: (request: { headers: Record<string, string> }) => ({
      ...request,
      headers: { ...keyHeaders(), ...request.headers },
    }),
  });
  keepCorrecting(container, correctSwaggerUI);
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

// On a phone the tabs are wider than the window.
document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

const container = document.getElementById('docs');
if (container) {
  start(container).catch((error: unknown) => {
    container.textContent = `The documentation could not be loaded: ${String(error)}`;
  });
}
