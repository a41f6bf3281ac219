// Reads a fleet file: its entries and its settings, or all its faults.
import { shippedSchemaCheck } from '../kinds/shippedChecks.ts';
import { sortedAndDistinct } from '../model/byPosition.ts';
import type { Diagnostic, Span } from '../model/diagnostic.ts';
import { present } from '../model/errors.ts';
import type { FleetRate, FleetStop, FleetWave } from '../model/fleet.ts';
import { spanOf } from '../model/text/duration.ts';
import type { JsonObject } from '../model/value.ts';
import { schemaFindings } from '../source/findings/findings.ts';
import { hasReference } from '../source/values/reference.ts';
import { parseDocuments, type SourceText } from '../source/yaml/document.ts';
import type { SourceNode } from '../source/yaml/node.ts';

/** The name of the fleet file. */
export const FLEET_FILE = 'fleet.yaml';

/** The settings of an entry for its accounts. Texts may refer to the account. */
interface EntryBase {
  readonly credentials: string;
  readonly layers: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly at: Span;
}

/** One account. */
export interface StaticEntry extends EntryBase {
  readonly name: string;
  readonly from?: undefined;
  readonly tenant?: string;
  readonly account?: string;
}

/** All accounts that a token reaches. */
export interface DiscoveredEntry extends EntryBase {
  readonly from: string;
  readonly fromAt: Span;
  /** By field of the objects that represent accounts, the pattern that its value must match. */
  readonly match: Readonly<Record<string, string>>;
  readonly matchAt: Span;
}

export type FleetEntry = StaticEntry | DiscoveredEntry;

/** The content of a fleet file; see `schemas/fleet.schema.json`. */
export interface Fleet {
  readonly entries: readonly FleetEntry[];
  /** At least one wave. */
  readonly waves: readonly FleetWave[];
  readonly stop: FleetStop;
  readonly rate?: FleetRate;
}

/** The result of reading a fleet file; `fleet` is absent if the file has faults. */
export interface ReadFleet {
  readonly fleet?: Fleet;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a fleet file. `schema` is `schemas/fleet.schema.json`. */
export function readFleet(source: SourceText, schema: JsonObject): ReadFleet {
  const { documents, diagnostics } = parseDocuments(source);
  const [document, second] = documents;
  if (!document) return { diagnostics };
  const check = shippedSchemaCheck(schema);
  const errors = check(document.value) ? [] : (check.errors ?? []);
  const findings = [
    ...diagnostics,
    ...schemaFindings(errors, document),
    ...references(document),
    ...(second ? [tooMany(second)] : []),
  ];
  if (findings.length > 0) return { diagnostics: sortedAndDistinct(findings) };
  return { fleet: fleetOf(document), diagnostics: [] };
}

/** An entry as it is written. */
type WrittenEntry = Partial<Omit<StaticEntry, 'from'> & Omit<DiscoveredEntry, 'name'>>;

/** A fleet file as it is written. */
interface Written {
  readonly accounts: readonly WrittenEntry[];
  readonly waves?: readonly (Omit<FleetWave, 'bake' | 'share'> & {
    readonly share?: string;
    readonly bake?: string;
  })[];
  readonly stop?: {
    readonly failures?: number;
    readonly hazards?: 'any' | 'none';
    readonly access_tests?: 'any' | 'none';
    readonly stale?: string;
  };
  readonly rate?: FleetRate;
}

/** The share of stale accounts, in percent, that stops a rollout unless the file sets another. */
const STALE = 5;

function fleetOf(document: SourceNode): Fleet {
  const { accounts, waves = [{}], stop = {}, rate } = document.value as unknown as Written;
  return {
    entries: accounts.map((entry, i) => entryOf(entry, document, ['accounts', String(i)])),
    waves: waves.map(({ match, count, share, bake }) => ({
      ...(match && { match }),
      ...(count !== undefined && { count }),
      ...(share !== undefined && { share: percentOf(share) }),
      bake: bake === undefined ? 0 : present(spanOf(bake), 'a duration, as the schema says'),
    })),
    stop: {
      failures: stop.failures ?? 1,
      hazards: stop.hazards !== 'none',
      accessTests: stop.access_tests !== 'none',
      stale: stop.stale === undefined ? STALE : percentOf(stop.stale),
    },
    ...(rate && { rate: { requests: rate.requests } }),
  };
}

const percentOf = (text: string): number => Number(text.slice(0, -1));

function entryOf(entry: WrittenEntry, document: SourceNode, path: readonly string[]): FleetEntry {
  const { name, from, tenant, account } = entry;
  const base: EntryBase = {
    credentials: entry.credentials ?? '',
    layers: entry.layers ?? [],
    labels: entry.labels ?? {},
    vars: entry.vars ?? {},
    at: document.at(path),
  };
  if (from !== undefined)
    return {
      ...base,
      from,
      fromAt: document.at([...path, 'from']),
      match: entry.match ?? {},
      matchAt: document.at([...path, 'match']),
    };
  return {
    ...base,
    name: name ?? '',
    ...(tenant !== undefined && { tenant }),
    ...(account !== undefined && { account }),
  };
}

/** Errors for references to variables in texts where they would have no effect. */
function references(document: SourceNode): Diagnostic[] {
  const { accounts } = (document.value ?? {}) as { readonly accounts?: unknown };
  if (!Array.isArray(accounts)) return [];
  return accounts.flatMap((entry: unknown, i) =>
    Object.entries(entry instanceof Object ? entry : {}).flatMap(([key, value]) =>
      JSON.stringify(value) !== undefined && hasReference(JSON.stringify(value))
        ? [
            fault(
              'the fleet file cannot use variables',
              document.at(['accounts', String(i), key]),
              'write the value itself, or ${account.name}',
            ),
          ]
        : [],
    ),
  );
}

const fault = (message: string, at: Span, hint: string): Diagnostic => ({
  code: 'FLEET_INVALID',
  severity: 'error',
  message,
  at,
  hint,
});

const tooMany = (second: SourceNode): Diagnostic =>
  fault(
    'a fleet file must have one document, but this line begins another',
    second.at([]),
    'remove the line `---`',
  );
