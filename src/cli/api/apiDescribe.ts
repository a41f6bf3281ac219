// `api describe`: prints everything that the contract says about one operation.
import { operationTable } from '../../api/operations/operationsById.ts';
import { answerSchema, requestSchema, success } from '../../api/schema/bodies.ts';
import { limitsOf } from '../../api/schema/constraintText.ts';
import { fieldsOf, type SchemaField, typeText } from '../../api/schema/fields.ts';
import { resolved } from '../../api/schema/resolved.ts';
import { isSecretNode } from '../../api/schema/secrets.ts';
import { exclusionsOf } from '../../api/schema/walk.ts';
import { type DocumentNode, type NodeObject, nodeAt } from '../../contract/document.ts';
import type { Operation, Parameter, Reply } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { type Row, rowLines } from '../../report/explain/rows.ts';
import { wrap } from '../../report/text/lines.ts';
import { type Style, WIDTH } from '../../report/text/style.ts';
import { styleFor } from '../colour.ts';
import type { Io } from '../io.ts';
import { exampleLines } from './apiExample.ts';
import { knownOf, marksOf, operationOrStop } from './apiOperation.ts';

/** Prints one operation. Throws a `Stop` if no operation has that id. */
export function printOperation(
  id: string,
  { format }: { readonly format: 'text' | 'json' },
  io: Io,
): void {
  const { document, operations } = operationTable();
  const operation = operationOrStop(operations.values(), id);
  if (format === 'json') io.stdout.write(jsonText(operationDocument(document, operation)));
  else io.stdout.write(operationText(document, operation, styleFor(io.stdout, io)));
}

function operationText(document: NodeObject, operation: Operation, style: Style): string {
  const { id, method, path, netbirdPath, summary, description, requestRequired } = operation;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', style.strong(title), '', ...lines];
  const body = (schema: DocumentNode | undefined) => bodyLines(document, schema, style);
  const lines = [
    ...wrapped(`${style.strong(id)}: ${summary}`),
    `${method} ${path}`,
    ...(netbirdPath === undefined ? [] : [`${method} ${netbirdPath} in dialect netbird`]),
    ...marksOf(operation).map(mark => `(${mark})`),
    ...(description === '' ? [] : ['', ...wrapped(description)]),
    ...section('Parameters', rowLines(parameterRows(document, operation.parameters), style)),
    ...section(
      requestRequired ? 'Body, required' : 'Body, optional',
      body(requestSchema(document, operation)),
    ),
    ...section('Answer', [
      ...wrapped(success(operation)?.description ?? '').map(line => `  ${line}`),
      ...below(body(answerSchema(document, operation))),
    ]),
    ...section('Refusals', rowLines(refusalRows(operation), style)),
    ...section('Example', exampleLines(document, operation)),
  ];
  return `${lines.join('\n')}\n`;
}

function parameterRows(document: NodeObject, parameters: readonly Parameter[]): readonly Row[] {
  return parameters.map(({ name, in: where, required, description, schema }) => {
    const node = present(nodeAt(document, schema), `the schema of ${name}`);
    const marks = [
      where,
      ...(required ? ['required'] : []),
      ...(isSecretNode(node) ? ['secret'] : []),
      ...limitsOf(document, node),
    ];
    return { name, what: `${typeText(document, node)} (${marks.join(', ')})`, text: description };
  });
}

function bodyLines(
  document: NodeObject,
  schema: DocumentNode | undefined,
  style: Style,
): readonly string[] {
  if (schema === undefined) return [];
  const fields = fieldsOf(document, schema);
  const exclusions = exclusionsOf(document, schema).map(
    names => `  ${names.join(' and ')} exclude each other`,
  );
  const type = typeText(document, schema);
  return [
    ...(type === 'object' ? [] : [`  ${type}`]),
    ...rowLines(fields.map(fieldRow), style),
    ...below(exclusions),
  ];
}

function fieldRow({ depth, name, type, marks, description }: SchemaField): Row {
  const what = `${type}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
  return { depth, name, what, text: description };
}

function refusalRows(operation: Operation): readonly Row[] {
  return refusalsOf(operation).map(({ status, description }) => ({
    name: status === 'default' ? 'other' : status,
    text: description,
  }));
}

function refusalsOf(operation: Operation): readonly Reply[] {
  return operation.replies.filter(reply => reply !== success(operation));
}

function operationDocument(document: NodeObject, operation: Operation): object {
  const { description, parameters, requestRequired } = operation;
  const request = requestSchema(document, operation);
  const answer = answerSchema(document, operation);
  return {
    format_version: '1.0',
    ...knownOf(operation),
    description,
    parameters: parameters.map(({ name, in: where, required, description, schema }) => ({
      name,
      in: where,
      required,
      description,
      schema: resolved(document, present(nodeAt(document, schema), schema)),
    })),
    ...(request && {
      request: { required: requestRequired, schema: resolved(document, request) },
    }),
    answer: {
      description: success(operation)?.description ?? '',
      ...(answer && { schema: resolved(document, answer) }),
    },
    refusals: refusalsOf(operation).map(({ status, description }) => ({ status, description })),
  };
}

const below = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', ...lines];

const wrapped = (text: string): readonly string[] => wrap(text, WIDTH - 2).map(line => line.trim());
