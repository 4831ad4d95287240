// The documentation of the REST operations as Markdown.
import { credentialLine, curlOf } from '../parts/curl.ts';
import { blocks, fenced, fencedJson, listed, section } from '../parts/markdown.ts';
import type { Credential, PagesModel, RestMember, RestOperation, Surface } from '../parts/model.ts';
import { resourceAddress, words } from './rest-pages.ts';

/** `/docs`: the resources of one API. */
export const restOverviewMarkdown = (model: PagesModel, surface: Surface): string =>
  blocks([
    `# REST: ${surface.name}`,
    surface.purpose,
    `A key goes in \`${credentialLine(withoutKey(surface.credential))}\`. The whole API is [${surface.openapi}.json](/openapi/${surface.openapi}.json), an OpenAPI document.`,
    ...model.rest
      .groups(surface.id)
      .flatMap(({ tag, operations }) => [
        `## [${words(tag)}](${resourceAddress(surface.id, tag)}.md)`,
        listed(operations.map(({ method, path, summary }) => `\`${method} ${path}\`: ${summary}`)),
      ]),
  ]);

/** The page of a resource. */
export const resourceMarkdown = (surface: Surface, tag: string, operations: readonly RestOperation[], origin: string): string =>
  blocks([
    `# ${words(tag)} (${surface.name})`,
    ...operations.flatMap((operation) => [`## ${operation.counterpart.summary}`, ...operationBlocks(surface, operation, origin, 3)]),
  ]);

/** A document of one operation. */
export const operationMarkdown = (surface: Surface, operation: RestOperation, origin: string): string =>
  blocks([`# ${operation.counterpart.summary}`, ...operationBlocks(surface, operation, origin, 2)]);

function operationBlocks(surface: Surface, operation: RestOperation, origin: string, level: number): string[] {
  const { counterpart, roles, root, recorded, status } = operation;
  const credential = counterpart.credential === undefined ? surface.credential : counterpart.credential;
  const sent = recorded && !counterpart.sample.form ? recorded.request : counterpart.sample;
  return [
    `\`${counterpart.method} ${counterpart.path}\``,
    operation.description,
    `${credential ? `Needs a key with ${roles.length > 1 ? 'one of the roles' : 'the role'} ${roles.map((role) => `\`${role}\``).join(', ')} in \`${credentialLine(withoutKey(credential))}\`.` : 'Needs no key.'} On GraphQL it is the ${root.kind} \`${root.name}\`.`,
    ...section('Parameters', members(operation.parameters), level),
    ...section('Body', members(operation.body), level),
    ...section('Example', fenced('sh', curlOf(origin, sent, credential && withoutKey(credential))), level),
    ...section('Errors', listed(operation.errors.map(({ code, status, meaning }) => `\`${code}\` (${status}): ${meaning}`)), level),
    ...section(`Response ${status}`, members(operation.response.map((member) => ({ ...member, isRequired: false }))), level),
    ...section('Recorded response', recorded?.response === undefined ? '' : fencedJson(recorded.response), level),
  ];
}

/** A credential as programs see it: their own key takes the place of that of the demo data. */
const withoutKey = ({ demoKey: _, ...credential }: Credential): Credential => credential;

const members = (list: readonly RestMember[]): string =>
  listed(
    list.map(({ name, place, type, description, isRequired }) => {
      const traits = [place && place !== 'query' ? `in the ${place}` : '', type, isRequired ? 'required' : ''].filter(Boolean);
      return `\`${name}\` (${traits.join(', ')})${description === '' ? '' : `: ${description}`}`;
    }),
  );
