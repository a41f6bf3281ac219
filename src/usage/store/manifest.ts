// The file that lists the files of a store. It is replaced as a whole, so that a reader always sees
// a consistent store.
import { createHash } from 'node:crypto';
import type { LogSettings } from '../../access/state/keptAnswers.ts';
import { jsonOf, jsonText } from '../../model/text/jsonText.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject } from '../../model/value.ts';
import type { Day, Forgotten, Gap, Span } from '../observed.ts';

/** A file of a store, as it was written. */
export interface StoredFile {
  readonly name: string;
  readonly digest: string;
}

/** The files of a day. */
export interface StoredDay {
  readonly day: Day;
  readonly flows: StoredFile;
  readonly counted: StoredFile;
}

/** The content of a store. */
export interface Manifest {
  /** The address of the server, and the id of the account if the server shows it. Empty if only exported logs were read. */
  readonly server: string;
  readonly account: string;
  /** Whether machines and people keep their names. */
  readonly hasPeople: boolean;
  /** Counts the compactions. */
  readonly generation: number;
  readonly journal: string;
  /**
   * A random text with which the journal begins, so that no other journal is mistaken for it.
   * Absent in stores of format version 1, whose journals do not begin with such a text.
   */
  readonly begin?: string;
  readonly days: readonly StoredDay[];
  readonly states: StoredFile | null;
  /** The time from the first to the last observation that is no longer in the journal. */
  readonly window: Span | null;
  readonly gaps: readonly Gap[];
  readonly log: LogSettings | null;
  /** The machines whose traffic was deleted; absent means none. */
  readonly forgotten?: readonly Forgotten[];
}

const FORMAT = 'meshform observations';
const VERSION = 2;

/** The digest of a file. */
export const digestOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The text of the file. */
export const manifestText = (manifest: Manifest): string =>
  jsonText({
    format: FORMAT,
    version: manifest.begin === undefined ? 1 : VERSION,
    digest: bodyDigest(manifest),
    store: manifest,
  });

const bodyDigest = (body: unknown): string => digestOf(JSON.stringify(body));

/** Reads the file, or returns why it is not a manifest, as text that completes "… cannot be used: ". */
export function manifestOf(text: string): Manifest | { readonly why: string } {
  const json = jsonOf(text);
  if (json === undefined) return { why: 'its file store.json is damaged' };
  if (!isObject(json) || json.format !== FORMAT)
    return { why: 'its file store.json belongs to another program' };
  const { version, digest, store } = json;
  if (version !== 1 && version !== VERSION)
    return {
      why: `a newer meshform wrote it, in format version ${quoted(String(version))}, but this version reads ${VERSION}`,
    };
  if (!isObject(store) || !isList(store.days ?? null) || digest !== bodyDigest(store))
    return { why: 'its file store.json is damaged' };
  return store as unknown as Manifest;
}

/** An empty store. */
export const emptyManifest = (
  identity: Pick<Manifest, 'server' | 'account' | 'hasPeople'>,
  begin: string,
): Manifest => ({
  ...identity,
  generation: 0,
  journal: journalName(0),
  begin,
  days: [],
  states: null,
  window: null,
  gaps: [],
  log: null,
});

/** The name of the journal of a generation. */
export const journalName = (generation: number): string => `journal.${generation}.jsonl`;

/** The names of the files of a manifest. */
export const filesOf = ({ journal, days, states }: Manifest): readonly string[] => [
  journal,
  ...days.flatMap(({ flows, counted }) => [flows.name, counted.name]),
  ...(states === null ? [] : [states.name]),
];

/** The span that covers both. */
export function joinedSpan(one: Span | null, other: Span | null): Span | null {
  if (one === null || other === null) return one ?? other;
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}
