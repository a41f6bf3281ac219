// Which dialect a server speaks: from answers already read, else from a path that only servers of one dialect have.
import { type DialectWitness, dialectWitness, otherDialect } from '../../kinds/dialect/dialects.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { DIALECTS, type Dialect, type DialectChoice } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { ApiError } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import type { ReadObject } from '../../wire/account.ts';
import type { ReadTransport } from '../transport/transport.ts';

/** The dialect of an account, and what has to be said about how it was found. */
export interface DialectDecision {
  readonly dialect: Dialect;
  readonly findings: readonly Diagnostic[];
}

/** What a server answered when it was asked for its dialect. Without a dialect, `why` says what it answered instead. */
export interface DialectAnswer {
  readonly dialect?: Dialect;
  readonly why: string;
}

/** The dialect that is assumed where no answer tells. */
export const ASSUMED_DIALECT: Dialect = 'netbird';

/** Statuses that say that a path is not there: in the other dialect, its last part is read as an id. */
const NOT_THERE = new Set([400, 404, 405, 422]);

/**
 * What answers that were read already say of the dialect. Servers of dialect `netbird` write `null` for an empty list,
 * servers of dialect `spec` have integers as ids of some kinds. Answers that contradict each other say nothing.
 */
export function dialectSeen(kinds: KindTable, objects: readonly ReadObject[]): Dialect | undefined {
  const found = new Set<Dialect>();
  for (const { kind, body } of objects) {
    if (typeof body.id === 'number') found.add('spec');
    const fields = kinds.get(kind)?.shape.fields ?? new Map();
    for (const [name, { shape }] of fields)
      if (shape.type === 'list' && body[name] === null) found.add('netbird');
  }
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

/** Asks a server for its dialect. Takes one request. Throws an `ApiError` where no other request would succeed either. */
export async function askDialect(
  transport: ReadTransport,
  { path, dialect }: DialectWitness,
): Promise<DialectAnswer> {
  const line = `GET ${path}`;
  try {
    const answer = await transport.get(path);
    if (isList(answer) || answer === null)
      return { dialect, why: `${line} was answered with a list` };
    return { why: `${line} was answered with something that is not a list` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status = 0 } = error.details;
    if (NOT_THERE.has(status))
      return { dialect: otherDialect(dialect), why: `${line} was answered ${status}` };
    if (status === 403 || status >= 500) return { why: error.message };
    throw error;
  }
}

/** What the decision depends on. */
export interface DialectQuestion {
  readonly choice: DialectChoice;
  readonly witness: DialectWitness | undefined;
  /** What answers read so far say; see `dialectSeen`. */
  readonly seen: Dialect | undefined;
  /** Whether anything that the run looks at differs by dialect. */
  readonly differs: boolean;
  /** Whether something is about to be written: then a chosen dialect that no answer shows is asked for, whichever it is. */
  readonly isWritten: boolean;
  /** Whether the run reads the witness anyway where the server has it. */
  readonly isWitnessRead: boolean;
  readonly ask: (witness: DialectWitness) => Promise<DialectAnswer>;
}

/** Decides on the dialect. Asks the server only where the answer matters. */
export async function decideDialect(question: DialectQuestion): Promise<DialectDecision> {
  const { choice, witness, seen, differs, isWritten, isWitnessRead, ask } = question;
  if (!witness)
    return { dialect: choice === 'auto' ? (seen ?? ASSUMED_DIALECT) : choice, findings: [] };
  if (choice !== 'auto') {
    const isDoubtful =
      seen === undefined ? isWritten || choice === witness.dialect : seen !== choice;
    if (!differs || !isDoubtful) return { dialect: choice, findings: [] };
    const { dialect = choice, why } = await ask(witness);
    const findings = dialect === choice ? [] : [mismatch(choice, { dialect, why })];
    return { dialect: choice, findings };
  }
  const isAsked = seen === undefined ? differs : seen === witness.dialect && isWitnessRead;
  if (!isAsked) return { dialect: seen ?? ASSUMED_DIALECT, findings: [] };
  const { dialect, why } = await ask(witness);
  if (dialect === undefined) return { dialect: seen ?? ASSUMED_DIALECT, findings: [assumed(why)] };
  return { dialect: seen ?? dialect, findings: [] };
}

/** Holds the dialect that a plan was made for against the server. Takes a request where no answer shows that dialect. */
export async function planDialectFindings(
  transport: ReadTransport,
  kinds: KindTable,
  { dialect: made, seen }: { readonly dialect: string; readonly seen: Dialect | undefined },
): Promise<readonly Diagnostic[]> {
  const choice = DIALECTS.find(known => known === made) ?? 'spec';
  const { findings } = await decideDialect({
    ...{ choice, seen, witness: dialectWitness(kinds), differs: true, isWritten: true },
    isWitnessRead: false,
    ask: witness => askDialect(transport, witness),
  });
  return findings.map(({ message, ...found }) => ({
    ...found,
    message: `the plan cannot be applied to this server: ${message}`,
    hint: 'create a new plan for this server',
  }));
}

function assumed(why: string): Diagnostic {
  return {
    code: 'DIALECT_ASSUMED',
    severity: 'warning',
    message: `dialect ${quoted(ASSUMED_DIALECT)} is assumed: ${why}`,
    hint: 'set `dialect` in meshform.yaml, or add --dialect',
  };
}

function mismatch(chosen: Dialect, { dialect, why }: Required<DialectAnswer>): Diagnostic {
  return {
    code: 'DIALECT_MISMATCH',
    severity: 'error',
    message: `dialect ${quoted(chosen)} is set, and the server speaks ${quoted(dialect)}: ${why}`,
    hint: `set \`dialect: ${dialect}\` in meshform.yaml, add --dialect ${dialect}, or remove both`,
  };
}
