// Parses the XML of uploaded files, and rejects what such a file does not have.

import { SaxesParser, type SaxesTagNS } from 'saxes';
import { others } from '../../../../runtime/others.ts';
import { MAX_DEPTH, wrongAt } from './statement.ts';

/** Characters that are parsed before the process does other work. */
const PIECE = 65_536;
/** Attributes of an element: those of a document name its schemas. */
const MAX_ATTRIBUTES = 64;

/** What is done with the parts of a document. An error that one of them throws ends the reading. */
export interface XmlReader {
  opened(tag: SaxesTagNS, line: number): void;
  text(text: string): void;
  closed(tag: SaxesTagNS): void;
}

/** Reads a document. Throws for one that is not well-formed, has a document type, nests deeper than any file, or has more attributes. */
export async function readXml(text: string, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser({ xmlns: true });
  let [depth, attributes] = [0, 0];
  parser.on('error', (error) => {
    throw wrongAt(parser.line, `the file is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '').slice(0, 200)}`);
  });
  parser.on('doctype', () => {
    throw wrongAt(parser.line, 'the file has a document type, which is not read');
  });
  // Before the end of the tag: what a parser does for each depends on how many there are.
  parser.on('opentagstart', () => {
    attributes = 0;
    if (++depth > MAX_DEPTH) throw wrongAt(parser.line, 'the file is nested too deep');
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) throw wrongAt(parser.line, 'an element has too many attributes');
  });
  parser.on('opentag', (tag) => reader.opened(tag, parser.line));
  parser.on('text', (part) => reader.text(part));
  parser.on('cdata', (part) => reader.text(part));
  parser.on('closetag', (tag) => {
    depth--;
    reader.closed(tag);
  });
  for (let start = 0; start < text.length; start += PIECE) {
    parser.write(text.slice(start, start + PIECE));
    await others();
  }
  parser.close();
}
