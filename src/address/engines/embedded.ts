// The embedded geocoder as an engine. Every call gets the current geocoder, because an ISO ingest replaces it.
import type { Geocoder } from '../geocoder/geocode.ts';
import type { GeocodeEngine } from './engine.ts';

export function embeddedEngine(current: () => Geocoder): GeocodeEngine {
  return { name: 'embedded', geocode: async (address) => current().geocode(address) };
}
