// The states of a corporation's registrations by its books: what its sales, its thresholds and its registrations are together.
import { type Content, contentInForce } from '../../platform/registrations/content-resolver.ts';
import { type Need, type PlacedSale, registrationStates } from '../../platform/registrations/needed.ts';
import { heldBy, jurisdictionsAround } from '../../platform/registrations/needed-places.ts';
import { today } from '../../platform/shared/dates.ts';
import { type Days, daysOf } from './periods.ts';
import { type Seller, type Sold, salesOf } from './sales.ts';

const placedSales = (content: Content, sold: readonly Sold[]): PlacedSale[] =>
  sold.flatMap(({ place, currency, amount, transactions, gap }) => {
    const around = gap === null ? jurisdictionsAround(content, place!) : undefined;
    return around ? [{ ...around, amount: amount!, currency: currency!, transactions }] : [];
  });

/** Every registration that a corporation holds, or that has a threshold where it sells, with its state on this day. */
export async function statesByBooks(seller: Seller, corporation: { id: string; jurisdiction: string }): Promise<Need[]> {
  const { services, scope } = seller;
  const content = await contentInForce({ services });
  const day = today(services.clock);
  const keyOf = (days: Days): string => days.join('/');
  const periods = new Map(
    content.pack.content.flatMap((entry) =>
      (entry.thresholds ?? []).flatMap((threshold) => daysOf(threshold, entry, day).map((days) => [keyOf(days), days] as const)),
    ),
  );
  const sold = await salesOf(seller, [...periods.values()]);
  const sales = new Map([...periods.keys()].map((key, at) => [key, placedSales(content, sold[at]!)]));
  const held = await heldBy(services, scope, corporation.id);
  return registrationStates(content, { country: corporation.jurisdiction, held }, (entry, threshold) =>
    daysOf(threshold, entry, day).map((days) => sales.get(keyOf(days))!),
  );
}
