// Reads the part of an account that a run needs. Reports what could not be read, and which dialect
// the server speaks.
import {
  type DialectWitness,
  dialectWitness,
  differsByDialect,
  isServedIn,
  overfullLists,
} from '../../kinds/dialect/dialects.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { accountMarkerKind, accountMarkerOf } from '../../kinds/lookup.ts';
import { kindsIn } from '../../kinds/schema/table.ts';
import type { Dialect, DialectChoice } from '../../kinds/traits.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { ApiError, present } from '../../model/errors.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Snapshot } from '../../model/object.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, type Json } from '../../model/value.ts';
import { byId } from '../../wire/decode.ts';
import { decodeAccount, isHeldBy, type ReadObject } from '../../wire/decodeAccount.ts';
import { unknownFields } from '../../wire/unknownFields.ts';
import type { ReadTransport } from '../transport/transport.ts';
import {
  type ChildList,
  childLists,
  type Parents,
  readChildren,
  settleMissing,
} from './children.ts';
import {
  askDialect,
  type DialectDecision,
  type DialectEvidence,
  decideDialect,
  dialectSeen,
} from './dialect.ts';
import { listObjects } from './objectClient.ts';
import { newReading, type Reading, type ReadingOptions } from './reading.ts';

/** The objects to read; see the engine's scope. */
export interface FetchScope {
  readonly kinds: ReadonlySet<KindName>;
  readonly parents: Parents;
}

export interface FetchOptions extends ReadingOptions {
  /** The dialect, verified if the run depends on it. If absent, `spec` is assumed and nothing is verified. */
  readonly dialect?: DialectChoice;
  /** Whether the files contain something other than kinds that differs by dialect. */
  readonly isDialectDeclared?: boolean;
  /** Whether the same run writes to the account. */
  readonly isWritten?: boolean;
}

/** The result of reading an account. */
export interface FetchedAccount extends Snapshot {
  readonly dialect: Dialect;
  /**
   * Findings about the dialect. If a finding is an error, the rest of the account must not be used.
   */
  readonly findings: readonly Diagnostic[];
}

/** The result of reading, and a function that reads further kinds without reading a list twice. */
export interface Widening {
  readonly snapshot: FetchedAccount;
  /**
   * Reads all lists of these kinds that were not read yet. The result contains everything that was read so far, and
   * counts only the new requests.
   */
  readonly widen: (names: ReadonlySet<KindName>) => Promise<FetchedAccount>;
}

/** Reads the account. Throws an `ApiError`, except for a kind that the server does not offer. */
export async function fetchAccount(
  transport: ReadTransport,
  kinds: KindTable,
  scope: FetchScope,
  options: FetchOptions,
): Promise<FetchedAccount> {
  return (await fetchAndWiden(transport, kinds, scope, options)).snapshot;
}

/** Reads the account like `fetchAccount`. The result can read further kinds. */
export async function fetchAndWiden(
  transport: ReadTransport,
  kinds: KindTable,
  scope: FetchScope,
  options: FetchOptions,
): Promise<Widening> {
  const start = transport.requests();
  const once = rememberingAnswerOf(dialectWitness(kinds), transport);
  const reading = newReading(transport, options);
  const account = { transport, once, kinds, scope, reading };
  const wanted = [...kinds.values()].filter(kind => scope.kinds.has(kind.name));
  const roots = wanted.filter(kind => !kind.parent && !accountMarkerOf(kind));
  const { moving = [], fixed = [] } = Object.groupBy(roots, movesWithDialect);
  await firstCall(kinds, reading);
  await reading.lists(fixed.map(kind => ({ kind })));
  const decided = () => decide(once, kinds, { wanted, reading }, options);
  let decision = await decided();
  let children: readonly (readonly ChildList[])[] = [];
  if (!hasErrors(decision.findings)) {
    children = await readServed(account, decision.dialect, { wanted, moving });
    // A chosen dialect must also match the responses that have been read since.
    if (options.dialect !== 'auto') decision = await decided();
  }
  const widen = async (names: ReadonlySet<KindName>): Promise<FetchedAccount> => {
    const before = transport.requests();
    await readFurther(account, decision.dialect, { names, children });
    return fetched(account, decision, { read: scope.kinds.union(names), before });
  };
  return { snapshot: fetched(account, decision, { read: scope.kinds, before: start }), widen };
}

/** An account that is being read. */
interface AccountInReading {
  readonly transport: ReadTransport;
  /** The same transport, except that it sends the request that shows the dialect only once. */
  readonly once: ReadTransport;
  readonly kinds: KindTable;
  readonly scope: FetchScope;
  readonly reading: Reading;
}

// Reads the lists whose paths depend on the dialect, and all children. Resolves to the lists of children.
async function readServed(
  account: AccountInReading,
  dialect: Dialect,
  { wanted, moving }: { readonly wanted: readonly Kind[]; readonly moving: readonly Kind[] },
): Promise<readonly (readonly ChildList[])[]> {
  const { kinds, scope, reading } = account;
  const served = kindsIn(kinds, dialect);
  leaveOutUnserved(wanted, dialect, reading);
  const some = leaveOutUnserved(moving, dialect, reading);
  await reading.lists(some.map(({ name }) => ({ kind: present(served.get(name), name) })));
  // The parents are not known before this point.
  const children = childLists(kinds, wanted, reading.objects, scope.parents);
  await readNested(account, dialect, children);
  return children;
}

async function readNested(
  { transport, once, kinds, reading }: AccountInReading,
  dialect: Dialect,
  lists: readonly (readonly ChildList[])[],
): Promise<void> {
  await readChildren(once, kinds, lists, { dialect, reading });
  await settleMissing(transport, kinds, reading);
}

/** Further kinds to read, and the lists of children that were read before. */
interface Further {
  readonly names: ReadonlySet<KindName>;
  readonly children: readonly (readonly ChildList[])[];
}

async function readFurther(
  account: AccountInReading,
  dialect: Dialect,
  { names, children }: Further,
): Promise<void> {
  const { kinds, scope, reading } = account;
  const others = [...kindsIn(kinds, dialect).values()].filter(({ name }) => names.has(name));
  const roots = rootsBeyond(scope, leaveOutUnserved(others, dialect, reading));
  await reading.lists(roots.map(kind => ({ kind })));
  await readNested(account, dialect, childrenBeyond(children, { kinds, others, reading }));
}

// Everything that was read so far. `read`: the kinds that were read. `before`: the number of
// requests that do not count.
function fetched(
  { transport, kinds, reading }: AccountInReading,
  decision: DialectDecision,
  { read, before }: { readonly read: ReadonlySet<KindName>; readonly before: number },
): FetchedAccount {
  const account = fingerprint(kinds, reading.objects);
  return {
    read,
    ...(account !== undefined && { account }),
    ...decision,
    notOffered: new Set(reading.notOffered),
    objects: decodeAccount(kinds, inOrder(reading.objects)),
    unavailable: inTableOrder(reading.unavailable, kinds),
    requests: transport.requests() - before,
  };
}

// Lists without parents that the scope did not contain.
const rootsBeyond = (scope: FetchScope, kinds: readonly Kind[]): readonly Kind[] =>
  kinds.filter(kind => !kind.parent && !accountMarkerOf(kind) && !scope.kinds.has(kind.name));

// Leaves out kinds that servers of the dialect do not have, so that they are not requested.
function leaveOutUnserved(
  kinds: readonly Kind[],
  dialect: Dialect,
  { notOffered, unavailable }: Pick<Reading, 'notOffered' | 'unavailable'>,
): readonly Kind[] {
  for (const kind of kinds) {
    if (isServedIn(kind, dialect)) continue;
    notOffered.add(kind.name);
    unavailable.set(kind.name, `a server of dialect ${quoted(dialect)} does not have them`);
  }
  return kinds.filter(kind => isServedIn(kind, dialect));
}

// The lists of children in every parent, except lists that were already read. An unavailable kind
// is not requested again.
function childrenBeyond(
  read: readonly (readonly ChildList[])[],
  {
    kinds,
    others,
    reading: { objects, unavailable },
  }: { readonly kinds: KindTable; readonly others: readonly Kind[]; readonly reading: Reading },
): readonly (readonly ChildList[])[] {
  const nameOf = ({ kind, parentId }: ChildList) => `${kind.name} ${parentId}`;
  const known = new Set(read.flat().map(nameOf));
  const asked = others.filter(({ name }) => !unavailable.has(name));
  const everywhere = new Map(asked.map(({ name }) => [name, 'all' as const]));
  return childLists(kinds, asked, objects, everywhere)
    .map(lists => lists.filter(list => !known.has(nameOf(list))))
    .filter(lists => lists.length > 0);
}

const movesWithDialect = ({ dialects, pathByDialect }: Kind): 'moving' | 'fixed' =>
  dialects !== undefined || Object.keys(pathByDialect).length > 0 ? 'moving' : 'fixed';

// Reads the list that shows the dialect once, and uses it for the dialect and for its objects.
function rememberingAnswerOf(
  witness: DialectWitness | undefined,
  transport: ReadTransport,
): ReadTransport {
  let answer: Promise<Json> | undefined;
  return {
    ...transport,
    get: path => {
      if (path !== witness?.path) return transport.get(path);
      answer ??= transport.get(path);
      return answer;
    },
  };
}

function decide(
  transport: ReadTransport,
  kinds: KindTable,
  {
    wanted,
    reading: { objects },
  }: {
    readonly wanted: readonly Kind[];
    readonly reading: Reading;
  },
  { dialect: choice, isDialectDeclared = false, isWritten = false }: FetchOptions,
): Promise<DialectDecision> | DialectDecision {
  if (choice === undefined) return { dialect: 'spec', findings: [] };
  const witness = dialectWitness(kinds);
  return decideDialect({
    choice,
    witness,
    seen: dialectSeen(kinds, objects),
    isWritten,
    differs:
      isDialectDeclared ||
      wanted.some(differsByDialect) ||
      objects.some(object => isReadByDialect(kinds.get(object.kind), object)),
    ask: asked => askDialect(transport, asked),
  });
}

// Whether an update of the object depends on the dialect, because of the number of items in its lists or because of fields that
// meshform does not know.
function isReadByDialect(kind: Kind | undefined, { body }: ReadObject): boolean {
  if (!kind?.verbs.has('update')) return false;
  return overfullLists(kind.shape, body).length > 0 || unknownFields(kind, body, byId).length > 0;
}

function inTableOrder(
  unavailable: ReadonlyMap<KindName, string>,
  kinds: KindTable,
): ReadonlyMap<KindName, string> {
  return new Map(
    [...kinds.keys()].flatMap(name => {
      const why = unavailable.get(name);
      return why === undefined ? [] : [[name, why] as const];
    }),
  );
}

async function firstCall(kinds: KindTable, reading: Reading): Promise<void> {
  const kind = accountMarkerKind(kinds);
  if (!kind) return;
  try {
    await reading.lists([{ kind }]);
  } catch (error) {
    // Some servers answer 404 to an unknown token (docs/server-behaviour.md#credentials).
    if (error instanceof ApiError && error.details.code === 'API_NOT_FOUND') {
      throw new ApiError({ ...error.details, code: 'API_UNAUTHENTICATED' }, { cause: error });
    }
    throw error;
  }
}

/**
 * Throws an `ApiError` if the first request that every run sends no longer returns a list. Sends
 * one request.
 */
export async function checkAccount(transport: ReadTransport, kinds: KindTable): Promise<void> {
  const path = accountMarkerKind(kinds)?.path;
  if (path === undefined) return;
  const answer = await transport.get(path);
  if (isList(answer) || answer === null) return;
  throw new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `the response to GET ${path} is not a list`,
    retryable: false,
    mayHaveHappened: false,
  });
}

/**
 * The account that a transport reaches, as in `Snapshot.account`, and the dialect that its first
 * list shows. Sends one request.
 */
export async function accountBehind(
  transport: ReadTransport,
  kinds: KindTable,
): Promise<{ readonly account: RemoteId | undefined; readonly seen: DialectEvidence | undefined }> {
  const kind = accountMarkerKind(kinds);
  const listed = kind ? await listObjects(transport, kind) : [];
  const read = listed.flatMap(object => (kind ? { ...object, kind: kind.name } : []));
  return { account: fingerprint(kinds, read), seen: dialectSeen(kinds, read) };
}

// The id of the object that identifies the account. Undefined if there is a second such object,
// because meshform cannot determine which of them identifies the account.
function fingerprint(kinds: KindTable, objects: readonly ReadObject[]): RemoteId | undefined {
  const kind = accountMarkerKind(kinds);
  const rule = kind && accountMarkerOf(kind);
  const [one, ...others] = objects.filter(
    object => object.kind === kind?.name && rule && isHeldBy(rule, object.body),
  );
  return others.length === 0 ? one?.id : undefined;
}

// Sorts the objects, because the contract does not define the order in which the server lists them.
function inOrder(objects: readonly ReadObject[]): ReadObject[] {
  return objects
    .map(object => ({ object, text: `${object.kind} ${object.id}` }))
    .sort((a, b) => compareTexts(a.text, b.text))
    .map(({ object }) => object);
}
