// Small accounts and plans for tests of the engine, without a server.
import { buildPlan } from '../../src/engine/plan/plan.ts';
import type { PlanInput } from '../../src/engine/scope/planInput.ts';
import type { PlanSettings } from '../../src/engine/types/settings.ts';
import type { KindTable } from '../../src/kinds/kind.ts';
import { type Address, kindName, remoteId } from '../../src/model/names.ts';
import type { Desired, Live, Snapshot } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { decodeAccount } from '../../src/wire/decodeAccount.ts';
import { desiredOf, KINDS } from '../support/files.ts';

/** One object as the API reads it: its kind, its body with its id, and the id of what it nests in. */
export type Read = readonly [
  kind: string,
  body: JsonObject & { readonly id: string },
  parentId?: string,
];

/** The live objects of an account that reads like this. */
export function live(reads: readonly Read[], kinds: KindTable = KINDS): Live[] {
  return decodeAccount(
    kinds,
    reads.map(([kind, body, parentId]) => ({
      kind: kindName(kind),
      id: remoteId(body.id),
      body,
      ...(parentId !== undefined && { parentId: remoteId(parentId) }),
    })),
  );
}

/** A group as it reads. */
export const group = (id: string, name: string, more: JsonObject = {}): Read => [
  'group',
  { id, name, issued: 'api', ...more },
];

export const network = (id: string, name: string): Read => [
  'network',
  { id, name, description: '' },
];

export const resource = (
  id: string,
  parentId: string,
  name: string,
  groups: string[] = [],
): Read => [
  'network_resource',
  { id, name, description: '', address: '10.0.0.1/32', enabled: true, type: 'host', groups },
  parentId,
];

export const router = (id: string, parentId: string, groups: string[]): Read => [
  'network_router',
  { id, peer: '', peer_groups: groups, metric: 9999, masquerade: true, enabled: true },
  parentId,
];

export const peer = (id: string, name: string): Read => ['peer', { id, name }];

/** A policy with one rule between groups, by their ids. */
export const policy = (
  id: string,
  name: string,
  sources: string[],
  destinations: string[],
  more: JsonObject = {},
): Read => [
  'policy',
  {
    id,
    name,
    description: '',
    enabled: true,
    source_posture_checks: [],
    rules: [
      {
        id: `${id}-1`,
        name: 'all',
        description: '',
        enabled: true,
        action: 'accept',
        bidirectional: false,
        protocol: 'all',
        sources,
        destinations,
      },
    ],
    ...more,
  },
];

export interface Options extends Partial<PlanSettings> {
  /** What the base declared, as YAML. */
  readonly base?: string;
  /** Whether the plan is recorded as the next base, after that base. */
  readonly isRecorded?: boolean;
  readonly unavailable?: Snapshot['unavailable'];
  /** Which account it is. */
  readonly behind?: string;
  readonly kinds?: KindTable;
  /** Objects that somebody deleted or renamed. */
  readonly missing?: PlanInput['missing'];
  /** What other folders of the account declare. */
  readonly others?: PlanInput['others'];
  /** By address, the ids that the base recorded. */
  readonly recordedIds?: Readonly<Record<string, string>>;
}

/** The plan for files of this text, or for these objects, on an account that reads like this. */
export function planFor(
  files: string | readonly Desired[],
  reads: readonly Read[],
  options: Options = {},
): Plan {
  return buildPlan(planInput(files, reads, options));
}

/** The input of the plan builder for these files and reads. */
export function planInput(
  files: string | readonly Desired[],
  reads: readonly Read[],
  {
    base = '',
    isRecorded = false,
    unavailable = new Map(),
    behind,
    kinds = KINDS,
    missing,
    others,
    recordedIds = {},
    ...settings
  }: Options = {},
): PlanInput {
  const recording = isRecorded ? { recordBase: true } : {};
  return {
    kinds,
    folder: 'test',
    ...(missing && { missing }),
    ...(others && { others }),
    recordedIds: new Map(
      Object.entries(recordedIds).map(([address, id]) => [address as Address, remoteId(id)]),
    ),
    desired: typeof files === 'string' ? desiredOf(files) : files,
    base: base === '' ? [] : desiredOf(base),
    ...(isRecorded && { recorded: { objects: desiredOf(base), commits: [] } }),
    snapshot: {
      objects: live(reads, kinds),
      unavailable,
      requests: 0,
      ...(behind !== undefined && { account: remoteId(behind) }),
    },
    settings: {
      dialect: 'spec',
      prune: 'none',
      allow: [],
      thresholds: {},
      ...recording,
      ...settings,
    },
  };
}

/** A declared object, for what no file can say. */
export function declared(kind: string, key: string, more: Partial<Desired> = {}): Desired {
  return {
    kind: kindName(kind),
    key: key as Desired['key'],
    fields: { name: key },
    lifecycle: {},
    at: { file: 'network.yaml', line: 1, column: 1 },
    spans: {},
    ...more,
  };
}
