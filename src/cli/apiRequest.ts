// What `api call` is about to send, held against the contract before anything is sent: every fault is found.
import { pathValueFault } from '../api/requestPath.ts';
import { requestSchema } from '../api/schema/bodies.ts';
import { withoutNulls } from '../api/schema/nulls.ts';
import { isSecretPlace, redacted, secretsOf } from '../api/schema/secrets.ts';
import { unknownFields } from '../api/schema/unknown.ts';
import { type Contract, type Operation, type ParameterValues, placeAt } from '../contract/index.ts';
import { didYouMean } from '../model/nearest.ts';
import type { Json } from '../model/value.ts';
import { bodyFrom, isLiteral, pairOf, secretFrom } from './apiWords.ts';
import type { Io } from './io.ts';

/** One thing to say of a request. */
export interface Remark {
  /** `body` or `param`, and the JSON pointer to what it is about. */
  readonly at: string;
  readonly sentence: string;
}

/** A request that was read and looked at. */
export interface Request extends Required<ParameterValues> {
  readonly body?: Json;
  /** Why it cannot be sent. */
  readonly faults: readonly Remark[];
  /** What the contract has against the body, where it is sent unchecked; slips that the server would not mention. */
  readonly warnings: readonly Remark[];
  /** The secrets in it, which no message may hold. */
  readonly secrets: readonly string[];
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
  const params = await readParams(contract, operation, (words.param ?? []).map(pairOf), io);
  const body = words.data === undefined ? undefined : await bodyFrom(words.data, io);
  const against = bodyFaults(contract, operation, body);
  const schema = requestSchema(contract.document, operation);
  const secrets = schema && body !== undefined ? secretsOf(contract.document, schema) : [];
  const { hidden, texts } = redacted(body ?? null, secrets);
  const slips = schema && body !== undefined ? slipsIn(contract, schema.pointer, body) : [];
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

type Params = Omit<Request, 'body'>;

async function readParams(
  contract: Contract,
  operation: Operation,
  pairs: readonly (readonly [string, string])[],
  io: Io,
): Promise<Params> {
  const values: { path: Record<string, string>; query: Record<string, string> } = {
    path: {},
    query: {},
  };
  const [faults, warnings, secrets]: [Remark[], Remark[], string[]] = [[], [], []];
  for (const [name, word] of pairs) {
    const at = `param /${name}`;
    const parameter = operation.parameters.find(one => one.name === name);
    if (parameter === undefined) {
      faults.push({ at, sentence: unknownParam(operation, name) });
      continue;
    }
    const place = placeAt(contract.document, parameter.schema);
    const isSecret = place !== undefined && isSecretPlace(place);
    const text = isSecret ? await secretFrom(word, io) : word;
    if (isSecret) secrets.push(text);
    if (isSecret && isLiteral(word)) warnings.push(inSight(at, `--param ${name}=@FILE`));
    const inPath = parameter.in === 'path' ? pathValueFault(text) : null;
    if (inPath !== null) faults.push({ at, sentence: `${name} ${inPath}` });
    if (name in values[parameter.in]) faults.push({ at, sentence: `${name} is given twice` });
    values[parameter.in][name] = text;
  }
  const against = contract
    .checkParameters(operation, values)
    .map(({ at, sentence }) => ({ at: `param ${at}`, sentence }));
  return { ...values, faults: [...faults, ...against], warnings, secrets };
}

function unknownParam({ id, parameters }: Operation, name: string): string {
  const names = parameters.map(parameter => parameter.name);
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  return `${id} has no such parameter; ${didYouMean(name, names) ?? known}`;
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

function slipsIn({ document }: Contract, schema: string, body: Json): readonly Remark[] {
  const place = placeAt(document, schema);
  if (place === undefined) return [];
  return unknownFields(document, place, body).map(({ at, hint }) => ({
    at: `body ${at}`,
    sentence: ['the contract has no such field: the server will ignore it', hint]
      .filter(part => part !== undefined)
      .join('; '),
  }));
}

function inSight(at: string, instead: string): Remark {
  const sentence = `a secret stands on the command line, where others on this machine can read it; give ${instead}`;
  return { at, sentence };
}
