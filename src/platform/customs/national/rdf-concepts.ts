// Reads the SKOS concepts of an RDF/XML file from a stream, one at a time, with the line each begins at.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { TariffFileIssue } from './tariff-file-issue.ts';

/** A concept that has a notation. One without is a heading between codes. */
export interface RdfConcept {
  notation: string;
  /** Its label in English: the alternative one, which has no code before it, otherwise the preferred one. */
  description: string;
}

/** A concept and the line it begins at. */
interface Found {
  line: number;
  value: RdfConcept;
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const SKOS = 'http://www.w3.org/2004/02/skos/core#';
const XML = 'http://www.w3.org/XML/1998/namespace';
const CONCEPT = `${SKOS}Concept`;
const LANGUAGE = 'en';
const TEXTS = new Map<string, Text>([
  [`${SKOS}notation`, 'notation'],
  [`${SKOS}altLabel`, 'alternative'],
  [`${SKOS}prefLabel`, 'preferred'],
]);

/** Longest tag, text or comment in characters: the parser holds one of them. */
const MAX_CHARACTERS = 100_000;
/** Elements within each other; a property of a concept is the third. */
const MAX_DEPTH = 32;

/** The concepts that have a notation. TariffFileIssue at the first line that is not well-formed, and at a document type: no entity is expanded. */
export async function* rdfConcepts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Found> {
  const reader = new ConceptReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of source) yield* reader.read(() => decoder.decode(piece, { stream: true }));
  yield* reader.read(() => decoder.decode());
  reader.end();
}

type Text = 'notation' | 'alternative' | 'preferred';

/** A resource whose element is open. */
interface Resource extends Record<Text, string> {
  line: number;
  isConcept: boolean;
}

/** Events of the parser to concepts. In RDF/XML resources and properties take turns: below `rdf:RDF` are resources, and in them properties. */
class ConceptReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  readonly #elements: string[] = [];
  readonly #resources: Resource[] = [];
  readonly #found: Found[] = [];
  /** The property whose text is read. */
  #text: Text | undefined;
  #lastEvent = 0;

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => this.#refuse(error.message));
    parser.on('doctype', () => this.#refuse('a document type is not accepted: entities are not expanded'));
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding && encoding.toLowerCase() !== 'utf-8') this.#refuse(`the encoding is ${encoding}, and not UTF-8`);
    });
    parser.on('opentag', (tag) => this.#opened(tag));
    parser.on('closetag', () => this.#closed());
    parser.on('text', (text) => this.#add(text));
    parser.on('cdata', (text) => this.#add(text));
    parser.on('comment', () => this.#pass());
    parser.on('processinginstruction', () => this.#pass());
  }

  /** Takes a piece of the file and gives the concepts that end in it. */
  read(decode: () => string): Found[] {
    let piece: string;
    try {
      piece = decode();
    } catch {
      return this.#refuse('the file is not UTF-8');
    }
    this.#parser.write(piece);
    if (this.#parser.position - this.#lastEvent > MAX_CHARACTERS) this.#refuse(`more than ${MAX_CHARACTERS} characters without a tag`);
    return this.#found.splice(0);
  }

  end(): void {
    this.#parser.close();
  }

  #opened(tag: SaxesTagNS): void {
    this.#pass();
    const { line } = this.#parser;
    const name = tag.uri + tag.local;
    this.#elements.push(tag.name);
    const depth = this.#elements.length;
    if (depth > MAX_DEPTH) this.#refuse(`more than ${MAX_DEPTH} elements within each other`);
    if (depth === 1 && name !== `${RDF}RDF`) this.#refuse('not the element rdf:RDF that a published nomenclature begins with');
    if (depth === 1) return;
    if (depth % 2 === 0)
      return void this.#resources.push({ line, isConcept: name === CONCEPT, notation: '', alternative: '', preferred: '' });
    const resource = this.#resources.at(-1)!;
    if (name === `${RDF}type`) resource.isConcept ||= attributeOf(tag, RDF, 'resource') === CONCEPT;
    const text = TEXTS.get(name);
    // Of several the first counts; labels are read in one language.
    if (text && resource[text] === '' && (text === 'notation' || attributeOf(tag, XML, 'lang') === LANGUAGE)) this.#text = text;
  }

  #closed(): void {
    this.#pass();
    const isResource = this.#elements.length > 1 && this.#elements.length % 2 === 0;
    this.#elements.pop();
    this.#text = undefined;
    if (!isResource) return;
    const { line, isConcept, notation, alternative, preferred } = this.#resources.pop()!;
    if (isConcept && notation.trim() !== '')
      this.#found.push({ line, value: { notation: notation.trim(), description: alternative.trim() || withoutCode(preferred, notation) } });
  }

  #add(text: string): void {
    this.#pass();
    if (!this.#text) return;
    const resource = this.#resources.at(-1)!;
    resource[this.#text] += text;
    if (resource[this.#text].length > MAX_CHARACTERS) this.#refuse(`a text of more than ${MAX_CHARACTERS} characters`);
  }

  #pass(): void {
    this.#lastEvent = this.#parser.position;
  }

  #refuse(problem: string): never {
    const element = this.#elements.at(-1);
    throw new TariffFileIssue(this.#parser.line, element ? `in ${element.slice(0, 80)}: ${problem}` : problem);
  }
}

const attributeOf = ({ attributes }: SaxesTagNS, uri: string, local: string): string | undefined =>
  Object.values(attributes).find((attribute) => attribute.uri === uri && attribute.local === local)?.value;

/** A preferred label begins with the code: 0101 21 00 - Pure-bred breeding animals. */
function withoutCode(label: string, notation: string): string {
  const [text, code] = [label.trim(), notation.trim()];
  return text.startsWith(code) ? text.slice(code.length).trim() : text;
}
