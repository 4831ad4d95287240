// Colours in the programs of a page, by the language that each block names.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import graphql from 'highlight.js/lib/languages/graphql';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

for (const [name, language] of Object.entries({ bash, graphql, javascript, json, python, typescript }))
  hljs.registerLanguage(name, language);

for (const code of document.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')) {
  const language = code.className.slice('language-'.length);
  if (hljs.getLanguage(language)) code.innerHTML = hljs.highlight(code.textContent, { language }).value;
}
