// The search of a company: one text in the records of all its types, by the index that the filter `search` of their lists uses.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, FieldResolver, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import type { SearchCondition } from '../../database/reader/conditions.ts';
import { isFindable, wordsOf } from '../../database/reader/filter-sql.ts';
import { projectionFor, projectionOf, projectionWith, type Row } from '../../database/reader/projection.ts';
import { DataModel } from '../../events/data-model.ts';
import { LevelLoaders } from '../../graphql/level-loaders.ts';
import { searchOf } from '../../graphql/list-inputs.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { invalid } from '../../records/errors.ts';
import { type Model, modelOf, propOf, type RecordClass, searchProps } from '../../records/metadata.ts';
import { folded } from '../../records/search-text.ts';
import { Company, type CompanyRow } from '../companies/company.ts';
import { type LedgerRecord, LedgerRecordType, namesOf } from '../ledger/ledger-record.ts';

/** Most hits of one search, by which each type is priced, and the number of hits where the caller names none. */
export const MAX_HITS = 25;
const USUAL_HITS = 10;

@ObjectType({ description: 'A record that a search found.', simpleResolvers: true })
class SearchHit {
  @Field(() => DataModel.values, { description: 'Type of the record.' }) type!: string;
  @Field(() => [String], { description: 'Fields with a word of the text, such as `documentNumber`.' }) fields!: string[];
  @Field(() => LedgerRecordType, { description: 'The record.' }) record!: Row;
}

interface SearchRequest {
  companyId: number;
  text: SearchCondition;
  models: readonly (readonly [type: string, model: Model])[];
  first: number;
}

/** The hits of companies, in which the same is searched: one statement for each type. */
const searches = new LevelLoaders<SearchRequest, SearchHit[]>('searches', async (context, info, requests) => {
  const [{ text, models, first }] = requests as [SearchRequest, ...SearchRequest[]];
  const tree = lookAhead(info).fields.get('record');
  const words = wordsOf(text.search).map(folded);
  const found = await Promise.all(
    models.map(async ([type, model]) => {
      const searched = searchProps(model);
      const projection = tree ? projectionFor(model, tree) : projectionOf(model, [model.key]);
      const pages = await context.services.reader.pages(
        projectionWith(
          projection,
          searched.map(({ name }) => name),
        ),
        { ...scopeOf(context), where: [text], order: [{ prop: propOf(model, model.key), descending: true }], limit: first },
        { props: [propOf(model, model.companyProp!)], values: requests.map(({ companyId }) => [companyId]) },
        (rows) => rows,
      );
      return pages.map((page) => {
        if (page instanceof Error) throw page;
        return page.rows.map((record): SearchHit => {
          const fields = searched.flatMap(({ name }) => {
            const value = folded(String(record[name] ?? ''));
            return words.some((word) => value.includes(word)) ? [name] : [];
          });
          return { type, fields, record: Object.assign(record, { __typename: model.name }) };
        });
      });
    }),
  );
  return requests.map((_, place) =>
    inTurn(
      found.map((pages) => pages[place]!),
      first,
    ),
  );
});

/** The first hit of each type, then the second of each, so that many hits of one type hide no other. */
function inTurn(types: readonly SearchHit[][], first: number): SearchHit[] {
  const hits: SearchHit[] = [];
  for (let rank = 0; rank < first; rank++) for (const { [rank]: hit } of types) if (hit) hits.push(hit);
  return hits.slice(0, first);
}

/** The resolver of the search in records of these types, as far as they have text that is searched. */
export function recordSearch(records: readonly RecordClass<LedgerRecord>[]): RecordClass {
  const models = new Map(
    records.flatMap((record) => (searchProps(modelOf(record)).length > 0 ? [[namesOf(record).dataModel, modelOf(record)] as const] : [])),
  );
  const names = [...models.keys()].join(', ');

  @Resolver(() => Company)
  class SearchResolver {
    @FieldResolver(() => [SearchHit], {
      // Text that cannot be searched makes the field null, not the company.
      nullable: true,
      description:
        'Records of any type that contain all words of a text in the fields that `search` of their lists names: the newest of each type, then the next of each.',
    })
    // As many records as the statements return at most.
    @Extensions({ size: USUAL_HITS, price: models.size * MAX_HITS })
    search(
      @Root() company: CompanyRow,
      @Arg('text', () => String, { description: 'Words to find; one of them has at least three letters or digits.' }) text: string,
      @Arg('types', () => [DataModel.values], {
        nullable: true,
        description: `Types to search; all by default: ${names}.`,
      })
      types: string[] | null,
      @Arg('first', () => Int, { defaultValue: USUAL_HITS, description: `Most hits, 1 to ${MAX_HITS}.` }) first: number,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<SearchHit[]> {
      if (first < 1 || first > MAX_HITS) throw invalid('first', `first must be an integer from 1 to ${MAX_HITS}`, 'OUT_OF_RANGE');
      if (!wordsOf(text).some(isFindable)) throw invalid('text', 'text must have a word of at least three letters or digits');
      const asked = types ? [...new Set(types)] : [...models.keys()];
      if (asked.length === 0 || !asked.every((type) => models.has(type))) throw invalid('types', `types must name some of ${names}`);
      return searches.load(context, info, {
        companyId: company.ledgerId,
        text: searchOf(text, 'text'),
        models: asked.map((type) => [type, models.get(type)!] as const),
        first,
      });
    }
  }
  return SearchResolver;
}
