// What `api call` is about to send, held against the contract before anything is sent: every fault is found.
import { requestSchema } from '../api/schema/bodies.ts';
import { withoutNulls } from '../api/schema/nulls.ts';
import { redacted, secretsOf } from '../api/schema/secrets.ts';
import { unknownFields } from '../api/schema/unknown.ts';
import type { Contract, Operation, Place } from '../contract/index.ts';
import type { Json } from '../model/value.ts';
import { inSight, type Params, type Remark, readParams } from './apiParams.ts';
import { bodyFrom, isLiteral } from './apiWords.ts';
import type { Io } from './io.ts';

/** A request that was read and looked at. */
export interface Request extends Params {
  readonly body?: Json;
}

/** What the command line says of a request. */
export interface RequestWords {
  readonly param?: readonly string[];
  readonly data?: string;
  /** Whether to send a body that the contract has something against. */
  readonly unchecked?: boolean;
}

/** Reads a request and looks at it. Throws a `Stop` for words that cannot be read at all. */
export async function readRequest(
  contract: Contract,
  operation: Operation,
  words: RequestWords,
  io: Io,
): Promise<Request> {
  const params = await readParams(contract, operation, words.param ?? [], io);
  const body = words.data === undefined ? undefined : await bodyFrom(words.data, io);
  const against = bodyFaults(contract, operation, body);
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
      ...slips,
      ...(words.data !== undefined && isLiteral(words.data)
        ? hidden.map(pointer => inSight(`body ${pointer}`, '--data @FILE or --data -'))
        : []),
      ...params.warnings,
    ],
    secrets: [...texts, ...params.secrets],
  };
}

function bodyFaults(
  contract: Contract,
  operation: Operation,
  body: Json | undefined,
): readonly Remark[] {
  const { id, request, requestRequired } = operation;
  if (body === undefined)
    return requestRequired ? [{ at: 'body', sentence: `${id} needs a body: --data` }] : [];
  if (request === undefined) return [{ at: 'body', sentence: `${id} takes no body` }];
  return contract
    .checkRequest(operation, withoutNulls(body))
    .map(({ at, sentence }) => ({ at: `body ${at}`.trim(), sentence }));
}

function slipsIn({ document }: Contract, schema: Place, body: Json): readonly Remark[] {
  return unknownFields(document, schema, body).map(({ at, hint }) => ({
    at: `body ${at}`,
    sentence: ['the contract has no such field: the server will ignore it', hint]
      .filter(part => part !== undefined)
      .join('; '),
  }));
}
