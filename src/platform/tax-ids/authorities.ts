// Which authority is asked about a kind of tax id.
import type { Config } from '../../config.ts';
import type { TaxAuthority } from './authority.ts';
import { vies } from './vies.ts';

/** The authority that the settings name for a kind of tax id; undefined where none is asked. */
export function authorityFor({ viesUrl }: Pick<Config, 'viesUrl'>, type: string): TaxAuthority | undefined {
  const authorities = viesUrl === undefined ? [] : [vies(viesUrl)];
  return authorities.find((authority) => authority.knows(type));
}
