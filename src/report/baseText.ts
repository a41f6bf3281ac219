// A recorded base as text and as a JSON document.
import type { KindTable } from '../kinds/kind.ts';
import { addressOf } from '../model/key.ts';
import type { RecordedBase } from '../model/recordedBase.ts';
import { jsonText } from '../model/text/jsonText.ts';
import { largest } from '../model/text/longLists.ts';
import { visible } from '../model/text/visible.ts';
import type { JsonObject } from '../model/value.ts';
import { counted } from './text/summary.ts';

/** A base, and its verification. */
export interface ShownBase {
  readonly ref: string;
  readonly commit: string;
  /** The digest of the signed document. */
  readonly digest: string;
  /** Whether the base is signed with a key of this run; undefined if the run has no key. */
  readonly isVerified: boolean | undefined;
  readonly base: RecordedBase;
}

/** The base for people: its account and folder, and the names of its objects. */
export function baseText({ ref, digest, isVerified, base }: ShownBase, kinds: KindTable): string {
  const { folder, name, revision, recordedAt, variables, objects } = base;
  const values = Object.entries(variables).map(([variable, value]) => `${variable}=${value}`);
  const verified = { true: 'yes', false: 'no, not with a key of this run' }[String(isVerified)];
  const rows: [string, string][] = [
    ['Folder', name === undefined ? folder : `${folder} (${name})`],
    ['Ref', ref],
    ['Applied revision', revision],
    ['Recorded at', recordedAt],
    ['Variables', values.length === 0 ? 'none' : values.join(', ')],
    ['Signed', verified ?? 'unknown: there is no key to verify it with'],
    ['Digest', digest],
    ['Objects', countsOf(base, kinds)],
  ];
  const width = largest(
    0,
    rows.map(([label]) => label.length),
  );
  const lines = rows.map(([label, text]) => visible(`${label.padEnd(width)}  ${text}`));
  const names = objects.map(({ kind, key }) => visible(`  ${addressOf(kind, key)}`));
  return `${[...lines, '', ...names].join('\n')}\n`;
}

function countsOf({ objects }: RecordedBase, kinds: KindTable): string {
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  const counts = [...byKind].map(([name, { length }]) => {
    const kind = kinds.get(name);
    return counted(length, kind?.noun ?? name, kind?.plural);
  });
  return counts.length === 0 ? 'none' : counts.join(', ');
}

/** The base for programs. */
export function baseJson({ ref, commit, digest, isVerified, base }: ShownBase): string {
  const { recordedAt, ...rest } = base;
  return jsonText({
    ref,
    commit,
    digest,
    ...(isVerified !== undefined && { verified: isVerified }),
    base: { ...rest, recorded_at: recordedAt } as unknown as JsonObject,
  });
}
