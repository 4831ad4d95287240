// Starts the playground in its page.
import '../style.css';
import '../suggest.ts';
import './playground.css';
import { render } from 'preact';
import { fetchMap, type OperationMap, startWithDemoKey } from '../map.ts';
import { Playground } from './app.tsx';

const EMPTY: OperationMap = { surfaces: [], examples: [], operations: [] };

const root = document.getElementById('playground');
if (root) {
  // Without the map the playground still works; it only lacks its lists.
  const map = await fetchMap().catch(() => EMPTY);
  startWithDemoKey(map);
  render(<Playground map={map} nonce={root.dataset.nonce ?? ''} />, root);
}
