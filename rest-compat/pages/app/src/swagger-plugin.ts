// What the docs page changes in Swagger UI: a layout without a second main landmark, plain operation names, and the GraphQL twin of every operation.
import type { ComponentType, createElement, ReactNode } from 'react';
import type { MappedOperation } from './map.ts';

interface System {
  React: { createElement: typeof createElement };
}

interface LayoutProps {
  getComponent: (name: string, container?: boolean) => ComponentType;
}

interface ParametersProps {
  pathMethod?: string[];
}

/** Finds the twin of an operation by its path and method in the OpenAPI document. */
export type Find = (path: string, method: string) => MappedOperation | undefined;

function twinParts(h: typeof createElement, twin: MappedOperation): ReactNode {
  const variables = Object.keys(twin.variables).length ? `\n\n# variables\n${JSON.stringify(twin.variables, null, 2)}` : '';
  return h(
    'div',
    { className: 'graphql-twin' },
    h('p', null, h('span', null, 'As GraphQL'), h('code', null, twin.id), h('a', { href: twin.playground }, 'Open in GraphiQL')),
    h('details', null, h('summary', null, 'Show document'), h('pre', { tabIndex: 0 }, `${twin.document.trim()}${variables}`)),
  );
}

const plainText = ({ text }: { text: ReactNode }) => text;

const layout = (h: typeof createElement) => (props: LayoutProps) => {
  const part = (name: string) => h(props.getComponent(name, true));
  return h(
    'div',
    { className: 'swagger-ui' },
    part('SvgAssets'),
    part('errors'),
    part('InfoContainer'),
    h('div', { className: 'controls' }, part('ServersContainer'), part('AuthorizeBtnContainer'), part('FilterContainer')),
    h('h2', { className: 'quiet' }, 'Operations'),
    part('operations'),
    part('Models'),
  );
};

/** Swagger UI brings its own React, handed to plugins; elements of another copy would not render. */
export function gatewayPlugin(find: Find) {
  return ({ React: { createElement: h } }: System) => ({
    components: { GatewayLayout: layout(h), DeepLink: plainText },
    wrapComponents: {
      parameters: (Parameters: ComponentType<ParametersProps>) => (props: ParametersProps) => {
        const [path = '', method = ''] = props.pathMethod ?? [];
        const twin = find(path, method);
        return h('div', null, twin ? twinParts(h, twin) : null, h(Parameters, props));
      },
    },
  });
}
