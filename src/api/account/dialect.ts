// Detects the dialect of a server from responses that were already read, or from a path that exists
// only in one dialect.
import {
  type DialectWitness,
  dialectNamed,
  dialectWitness,
  otherDialect,
} from '../../kinds/dialect/dialects.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Dialect, DialectChoice } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { ApiError } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import type { ReadObject } from '../../wire/decodeAccount.ts';
import type { ReadTransport } from '../transport/transport.ts';

/** The dialect of an account, and findings about how it was detected. */
export interface DialectDecision {
  readonly dialect: Dialect;
  readonly findings: readonly Diagnostic[];
}

/**
 * The result of asking a server for its dialect. If there is no dialect, `why` describes the
 * response.
 */
export interface DialectAnswer {
  readonly dialect?: Dialect;
  readonly why: string;
}

/** The dialect that is assumed if no response shows it. */
export const ASSUMED_DIALECT: Dialect = 'netbird';

/** A dialect that responses show, and a clause that names the evidence. */
export interface DialectEvidence {
  readonly dialect: Dialect;
  readonly why: string;
}

/**
 * Statuses which mean that the path does not exist. In the other dialect, the last part of the path
 * is read as an id.
 */
const NOT_THERE = new Set([400, 404, 405, 422]);

/**
 * The dialect that the responses read so far show. Servers of dialect `netbird` write `null` for an
 * empty list. Servers of dialect `spec` have integers as ids, but kinds whose path depends on the
 * dialect have integer ids in both dialects. Contradicting responses show no dialect.
 */
export function dialectSeen(
  kinds: KindTable,
  objects: readonly ReadObject[],
): DialectEvidence | undefined {
  const found = new Map<Dialect, string>();
  for (const { kind: name, body } of objects) {
    const kind = kinds.get(name);
    if (kind === undefined || Object.keys(kind.pathByDialect).length > 0) continue;
    if (typeof body.id === 'number')
      found.set('spec', `it returns integers as ids (${kind.name} ${body.id})`);
    for (const [field, { shape }] of kind.shape.fields)
      if (shape.type === 'list' && body[field] === null)
        found.set(
          'netbird',
          `it returns null for empty lists (${quoted(field)} of a ${kind.name})`,
        );
  }
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return undefined;
  const [dialect, why] = only;
  return { dialect, why };
}

/** Asks a server for its dialect with one request. Throws an `ApiError` if no other request would succeed either. */
export async function askDialect(
  transport: ReadTransport,
  { path, dialect }: DialectWitness,
): Promise<DialectAnswer> {
  const line = `GET ${path}`;
  try {
    const answer = await transport.get(path);
    if (isList(answer) || answer === null) return { dialect, why: `${line} returned a list` };
    return { why: `${line} did not return a list` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status = 0 } = error.details;
    if (NOT_THERE.has(status))
      return { dialect: otherDialect(dialect), why: `${line} returned ${status}` };
    if (status === 403 || status >= 500) return { why: error.message };
    throw error;
  }
}

/** The inputs of the decision. */
export interface DialectQuestion {
  readonly choice: DialectChoice;
  readonly witness: DialectWitness | undefined;
  /** The dialect that the responses read so far show; see `dialectSeen`. */
  readonly seen: DialectEvidence | undefined;
  /** Whether anything in the run differs by dialect. */
  readonly differs: boolean;
  /**
   * Whether the run will write. If it will, a chosen dialect is always verified unless a response
   * shows it.
   */
  readonly isWritten: boolean;
  readonly ask: (witness: DialectWitness) => Promise<DialectAnswer>;
}

/** Decides on the dialect. Asks the server only if the answer matters. */
export async function decideDialect(question: DialectQuestion): Promise<DialectDecision> {
  const { choice, witness, seen, differs, ask } = question;
  if (choice !== 'auto') {
    const contrary = differs ? await contradiction(choice, question) : undefined;
    return { dialect: choice, findings: contrary ? [mismatch(choice, contrary)] : [] };
  }
  if (seen || !differs || !witness)
    return { dialect: seen?.dialect ?? ASSUMED_DIALECT, findings: [] };
  const { dialect, why } = await ask(witness);
  return { dialect: dialect ?? ASSUMED_DIALECT, findings: dialect ? [] : [assumed(why)] };
}

// A contradiction to the chosen dialect. Only a list at this path proves the chosen dialect,
// because a server may lack or refuse the path for other reasons.
async function contradiction(
  choice: Dialect,
  { witness, seen, isWritten, ask }: DialectQuestion,
): Promise<DialectEvidence | undefined> {
  if (seen?.dialect === choice) return undefined;
  const isAsked = witness?.dialect === choice || (isWritten && seen === undefined);
  if (!witness || !isAsked) return seen;
  const { dialect, why } = await ask(witness);
  if (dialect === choice) return undefined;
  return dialect === undefined ? seen : { dialect, why };
}

/** Verifies the dialect of a plan and returns findings. Sends a request if no response shows that dialect. */
export async function planDialectFindings(
  transport: ReadTransport,
  kinds: KindTable,
  { dialect: made, seen }: { readonly dialect: string; readonly seen: DialectEvidence | undefined },
): Promise<readonly Diagnostic[]> {
  const choice = dialectNamed(made);
  const { findings } = await decideDialect({
    choice,
    seen,
    witness: dialectWitness(kinds),
    differs: true,
    isWritten: true,
    ask: witness => askDialect(transport, witness),
  });
  return findings.map(({ message, ...found }) => ({
    ...found,
    message: `the plan cannot be applied to this server: ${message}`,
    hint: 'create a new plan for this server with `meshform plan --out FILE`',
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

function mismatch(chosen: Dialect, { dialect, why }: DialectEvidence): Diagnostic {
  return {
    code: 'DIALECT_MISMATCH',
    severity: 'error',
    message: `dialect ${quoted(chosen)} is set, and the server speaks ${quoted(dialect)}: ${why}`,
    hint: `set \`dialect: ${dialect}\` in meshform.yaml, add --dialect ${dialect}, or remove both`,
  };
}
