// A process that only geocodes; prints its speed and size as JSON.
import { residentBytes, type Speed, timeCalls } from '../../src/address/accuracy/speed.ts';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';
import { caseMaker, randomFrom } from '../address/generated.ts';

export interface Alone extends Speed {
  loadMs: number;
  withoutMb: number;
  withMb: number;
}

const ADDRESSES = 2_000;

const megabytes = (): number => residentBytes() / 2 ** 20;

const withoutMb = megabytes();
const began = performance.now();
const gazetteer = loadGazetteer();
const geocoder = createGeocoder(gazetteer, shippedIsoContent());
geocoder.geocode('10 Downing Street, London SW1A 2AA');
const loadMs = performance.now() - began;
const withMb = megabytes();
const [maker, random] = [caseMaker(gazetteer), randomFrom(1)];
const speed = timeCalls(
  geocoder,
  Array.from({ length: ADDRESSES }, (_, id) => maker.make(random, id).address),
);
console.log(JSON.stringify({ ...speed, loadMs, withoutMb, withMb } satisfies Alone));
