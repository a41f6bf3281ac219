// The values of `--param`, assigned to the parameters of the operation and checked against the contract.
import { isSecretNode } from '../../api/schema/secrets.ts';
import { pathValueFault } from '../../api/transport/requestPath.ts';
import {
  type Contract,
  nodeAt,
  type Operation,
  type Parameter,
  type ParameterValues,
} from '../../contract/index.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import type { Io } from '../io.ts';
import { isLiteral, pairOf, secretFrom } from './apiWords.ts';

/** A finding about a request. */
export interface Remark {
  /** `body` or `param`, and the JSON pointer to the value. */
  readonly at: string;
  readonly sentence: string;
}

/** Values of a request, and the findings about them. */
export interface Params extends Required<ParameterValues> {
  /** Errors: the request is not sent. */
  readonly faults: readonly Remark[];
  /** Warnings: the request is sent. */
  readonly warnings: readonly Remark[];
  /** The secrets in the request, which no message may contain. */
  readonly secrets: readonly string[];
}

interface Given {
  readonly parameter: Parameter;
  readonly word: string;
  readonly text: string;
  readonly isSecret: boolean;
}

/** Reads the values. Throws a `Stop` for an argument that is not `name=value` or names an unreadable file. */
export async function readParams(
  contract: Contract,
  operation: Operation,
  words: readonly string[],
  io: Io,
): Promise<Params> {
  const pairs = words.map(pairOf);
  const known = new Map(operation.parameters.map(parameter => [parameter.name, parameter]));
  const unknown = pairs.flatMap(([name]) =>
    known.has(name) ? [] : [remark(name, unknownParam(operation, name))],
  );
  const given: Given[] = [];
  for (const [name, word] of pairs) {
    const parameter = known.get(name);
    if (parameter === undefined) continue;
    const isSecret = isSecretParameter(contract, parameter);
    const text = isSecret ? await secretFrom(word, io) : word;
    given.push({ parameter, word, text, isSecret });
  }
  const values = { path: valuesIn('path', given), query: valuesIn('query', given) };
  const against = contract.checkParameters(operation, values);
  return {
    ...values,
    faults: [
      ...unknown,
      ...given.flatMap(faultsOf),
      ...against.map(({ at, sentence }) => ({ at: `param ${at}`, sentence })),
    ],
    warnings: given
      .filter(({ isSecret, word }) => isSecret && isLiteral(word))
      .map(({ parameter: { name } }) => inSight(`param /${name}`, `--param ${name}=@FILE`)),
    secrets: given.filter(({ isSecret }) => isSecret).map(({ text }) => text),
  };
}

/** The warning that other users can see a secret, with a safer place for the secret. */
export function inSight(at: string, instead: string): Remark {
  const sentence = `a secret on the command line can be read by other users of this machine; use ${instead}`;
  return { at, sentence };
}

const remark = (name: string, sentence: string): Remark => ({ at: `param /${name}`, sentence });

function isSecretParameter({ document }: Contract, { schema }: Parameter): boolean {
  const node = nodeAt(document, schema);
  return node !== undefined && isSecretNode(node);
}

function valuesIn(where: 'path' | 'query', given: readonly Given[]): Record<string, string> {
  const here = given.filter(({ parameter }) => parameter.in === where);
  return Object.fromEntries(here.map(({ parameter: { name }, text }) => [name, text]));
}

function faultsOf({ parameter, text }: Given, index: number, all: readonly Given[]): Remark[] {
  const { name } = parameter;
  const before = all.slice(0, index);
  const inPath = parameter.in === 'path' ? pathValueFault(text) : null;
  return [
    ...(inPath === null ? [] : [remark(name, `${name} ${inPath}`)]),
    ...(before.some(other => other.parameter === parameter)
      ? [remark(name, `${name} is used twice`)]
      : []),
  ];
}

function unknownParam({ id, parameters }: Operation, name: string): string {
  const names = parameters.map(parameter => parameter.name);
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  return `${id} has no such parameter; ${didYouMean(name, names) ?? known}`;
}
