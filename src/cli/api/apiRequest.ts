// The request of `api call`, checked completely against the contract before it is sent.
import { requestSchema } from '../../api/schema/bodies.ts';
import { withoutNulls } from '../../api/schema/nulls.ts';
import { redacted, secretsOf } from '../../api/schema/secrets.ts';
import { unknownFields } from '../../api/schema/unknownFieldWarnings.ts';
import type { Contract, DocumentNode, Operation, Violation } from '../../contract/index.ts';
import { DIALECTS, type DialectChoice } from '../../kinds/traits.ts';
import { present } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';
import type { Io } from '../io.ts';
import { inSight, type Params, type Remark, readParams } from './apiParams.ts';
import { bodyFrom, isLiteral } from './apiWords.ts';

/** A request that was read and checked. */
export interface Request extends Params {
  readonly body?: Json;
}

/** The request as given on the command line. */
export interface RequestWords {
  readonly param?: readonly string[];
  readonly data?: string;
  /** Whether to send a body that violates the contract. */
  readonly unchecked?: boolean;
}

/** The arguments, and the dialect whose limits apply. */
type CheckedWords = RequestWords & { readonly dialect: DialectChoice };

/** Reads a request and checks it. Throws a `Stop` for arguments that cannot be read. */
export async function readRequest(
  contract: Contract,
  operation: Operation,
  words: CheckedWords,
  io: Io,
): Promise<Request> {
  const params = await readParams(contract, operation, words.param ?? [], io);
  const body = words.data === undefined ? undefined : await bodyFrom(words.data, io);
  const { faults: against, doubts } = bodyFaults(contract, operation, body, words.dialect);
  const schema = requestSchema(contract.document, operation);
  const secrets = schema && body !== undefined ? secretsOf(contract.document, schema) : [];
  const { hidden, texts } = redacted(body ?? null, secrets);
  const slips = schema && body !== undefined ? slipsIn(contract, schema, body) : [];
  const isBypass = words.unchecked === true && body !== undefined && schema !== undefined;
  return {
    ...params,
    ...(body === undefined ? {} : { body }),
    faults: [...params.faults, ...(isBypass ? [] : against)],
    warnings: [
      ...(isBypass ? against : []),
      ...doubts,
      ...slips,
      ...(words.data !== undefined && isLiteral(words.data)
        ? hidden.map(pointer => inSight(`body ${pointer}`, '--data @FILE or --data -'))
        : []),
      ...params.warnings,
    ],
    secrets: [...texts, ...params.secrets],
  };
}

/**
 * The violations of a body that apply in every dialect that the server may have, and those that
 * apply in only some of these dialects.
 */
interface BodyFaults {
  readonly faults: readonly Remark[];
  readonly doubts: readonly Remark[];
}

function bodyFaults(
  contract: Contract,
  operation: Operation,
  body: Json | undefined,
  choice: DialectChoice,
): BodyFaults {
  const { id, request, requestRequired } = operation;
  const only = (sentence: string): BodyFaults => ({
    faults: [{ at: 'body', sentence }],
    doubts: [],
  });
  if (body === undefined)
    return requestRequired ? only(`${id} needs a body: --data`) : { faults: [], doubts: [] };
  if (request === undefined) return only(`${id} accepts no body`);
  const dialects = choice === 'auto' ? DIALECTS : [choice];
  const found = dialects.map(dialect => ({
    dialect,
    violations: contract.checkRequest(operation, withoutNulls(body), dialect),
  }));
  const isIn = (all: readonly Violation[], { at, keyword }: Violation) =>
    all.some(one => one.at === at && one.keyword === keyword);
  const isEverywhere = (one: Violation) => found.every(({ violations }) => isIn(violations, one));
  const last = present(found.at(-1), 'a dialect');
  return {
    faults: last.violations.filter(isEverywhere).map(remarkOn),
    doubts: found.flatMap(({ dialect, violations }) =>
      violations
        .filter(one => !isEverywhere(one))
        .map(remarkOn)
        .map(({ at, sentence }) => ({
          at,
          sentence: `${sentence} on a server of dialect ${quoted(dialect)}`,
        })),
    ),
  };
}

const remarkOn = ({ at, sentence }: Violation): Remark => ({ at: `body ${at}`.trim(), sentence });

function slipsIn({ document }: Contract, schema: DocumentNode, body: Json): readonly Remark[] {
  return unknownFields(document, schema, body).map(({ at, hint }) => ({
    at: `body ${at}`,
    sentence: ['the API contract has no such field: the server will ignore it', hint]
      .filter(part => part !== undefined)
      .join('; '),
  }));
}
