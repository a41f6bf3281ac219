// Prints the response to a call, as JSON or as a table. Secrets in the response are hidden unless the user asks for them.
import { answerSchema, requestSchema } from '../../api/schema/bodies.ts';
import { isSecretNode, redacted, secretsOf } from '../../api/schema/secrets.ts';
import { memberOf, propertiesOf } from '../../api/schema/walk.ts';
import type { DocumentNode, NodeObject, Operation } from '../../contract/index.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { nameText, visible } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { WIDTH } from '../../report/text/style.ts';
import { valueTable } from '../../report/text/table.ts';
import { broken } from '../../report/text/width.ts';
import { styleFor } from '../colour.ts';
import type { Io } from '../io.ts';

/** The flags that determine how a response is shown. */
export interface AnswerFlags {
  readonly format: 'json' | 'table';
  readonly reveal?: boolean;
}

/** Prints the response of the server. Omitted fields are reported on stderr. */
export function printAnswer(
  document: NodeObject,
  { operation, answer }: { readonly operation: Operation; readonly answer: Json },
  { format, reveal = false }: AnswerFlags,
  io: Io,
): void {
  const secrets = reveal ? [] : secretsOfCall(document, operation);
  const { body, hidden } = redacted(answer, secrets);
  if (format === 'json') io.stdout.write(jsonText(body));
  else printTable(document, operation, body, io);
  if (hidden.length === 0) return;
  const fields = [...new Set(hidden.map(at => at.replaceAll(/\/\d+(?=\/|$)/g, '/*')))].join(', ');
  note(`hidden: ${fields || 'the whole response'}; ${wayToSee(operation)}`, io);
}

/** The secrets that an operation creates. Every response contains them, and no request does. */
export function newSecrets(document: NodeObject, operation: Operation): readonly string[] {
  if (operation.method !== 'POST') return [];
  const [answer, request] = [answerSchema, requestSchema].map(schemaOf =>
    schemaOf(document, operation),
  );
  const sent = new Set(request ? propertiesOf(document, request).map(({ name }) => name) : []);
  return (answer ? propertiesOf(document, answer) : []).flatMap(({ name, node, required }) =>
    required && isSecretNode(node) && !sent.has(name) ? name : [],
  );
}

/** The secrets in a response, including the secrets of the request, because some servers send these back. */
function secretsOfCall(document: NodeObject, operation: Operation) {
  return [answerSchema(document, operation), requestSchema(document, operation)].flatMap(schema =>
    schema === undefined ? [] : secretsOf(document, schema),
  );
}

function wayToSee({ method }: Operation): string {
  return method === 'GET'
    ? '--reveal shows it'
    : 'only --reveal shows it, and the server does not show a new secret again';
}

/** Prints a message about the document. */
function note(text: string, io: Io): void {
  const [first = '', ...rest] = broken(visible(text), WIDTH - 2);
  io.stderr.write(`${[first, ...rest.map(line => `  ${line}`)].join('\n')}\n`);
}

function printTable(document: NodeObject, operation: Operation, body: Json, io: Io): void {
  const schema = answerSchema(document, operation);
  const page = isPaged(operation) && isObject(body) ? Object.entries(body) : [];
  const [rows] = page.filter(([, value]) => isList(value));
  const within = schema && rows ? fieldSchema(document, schema, rows[0]) : schema;
  const fields = within === undefined ? [] : fieldNames(document, within);
  const { text, leftOut } = valueTable(rows?.[1] ?? body, fields, styleFor(io.stdout, io));
  io.stdout.write(text);
  if (text === '') note('the response is empty', io);
  if (leftOut.length > 0)
    note(
      `columns not shown: ${leftOut.map(nameText).join(', ')}; --format json shows everything`,
      io,
    );
  const paging = page.filter(([, value]) => !isList(value) && !isObject(value));
  if (paging.length > 0)
    note(
      paging.map(([name, value]) => `${nameText(name)} ${nameText(String(value))}`).join(', '),
      io,
    );
}

/**
 * Whether the response is one page of a longer list, inside an object that also contains the page
 * numbers.
 */
function isPaged({ parameters }: Operation): boolean {
  return parameters.some(({ name, in: where }) => where === 'query' && name === 'page');
}

function fieldSchema(
  document: NodeObject,
  schema: DocumentNode,
  field: string,
): DocumentNode | undefined {
  return propertiesOf(document, schema).find(({ name }) => name === field)?.node;
}

function fieldNames(document: NodeObject, schema: DocumentNode): readonly string[] {
  return propertiesOf(document, memberOf(document, schema) ?? schema).map(({ name }) => name);
}
