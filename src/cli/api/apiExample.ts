// The command line that calls an operation, with what has to be filled in.
import { answerSchema, requestSchema } from '../../api/schema/bodies.ts';
import { exampleOf } from '../../api/schema/example.ts';
import { isSecretPlace, secretsOf } from '../../api/schema/secrets.ts';
import { type NodeObject, type Place, placeAt } from '../../contract/document.ts';
import type { Operation, Parameter } from '../../contract/index.ts';
import { shellQuoted } from '../../model/text/shellWord.ts';
import type { Json } from '../../model/value.ts';
import { WIDTH } from '../../report/text/style.ts';

/** What an operation is called with in its example. */
export interface ExampleCall {
  /** The words after `meshform`, without a body. */
  readonly words: readonly string[];
  /** The body; absent where none is needed. */
  readonly body?: Json;
  /** Whether the body stands in a file: a command line is no place for a secret, others on the machine can read it. */
  readonly isInFile: boolean;
}

/** The name of the file that an example's body stands in. */
const FILE = 'body.json';

/** An example of the smallest call that the contract takes. */
export function exampleCall(document: NodeObject, operation: Operation): ExampleCall {
  const { id, method, parameters, requestRequired } = operation;
  const request = requestRequired ? requestSchema(document, operation) : undefined;
  const makesSecrets = method !== 'GET' && hasSecrets(document, answerSchema(document, operation));
  return {
    words: [
      ...['api', 'call', id],
      ...parameters
        .filter(({ required }) => required)
        .flatMap(parameter => ['--param', parameterWord(document, parameter)]),
      ...(method === 'DELETE' ? ['--yes'] : []),
      ...(makesSecrets ? ['--reveal'] : []),
    ],
    ...(request === undefined ? {} : { body: exampleOf(document, request) }),
    isInFile: hasSecrets(document, request),
  };
}

/** The command, and below it the body where that does not stand on the same line. */
export function exampleLines(document: NodeObject, operation: Operation): readonly string[] {
  const { words, body, isInFile } = exampleCall(document, operation);
  const command = ['meshform', ...words].join(' ');
  if (body === undefined) return folded(command);
  const line = `${command} --data ${shellQuoted(JSON.stringify(body))}`;
  if (!isInFile && line.length + 2 <= WIDTH) return [`  ${line}`];
  const file = JSON.stringify(body, null, 2).split('\n');
  return [
    ...folded(`${command} --data @${FILE}`),
    ...['', `  ${FILE}:`, ''],
    ...file.map(text => `    ${text}`),
  ];
}

function parameterWord(document: NodeObject, { name, schema }: Parameter): string {
  const place = placeAt(document, schema);
  if (place !== undefined && isSecretPlace(place)) return `${name}=@${name}.txt`;
  return `${name}=${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

function hasSecrets(document: NodeObject, schema: Place | undefined): boolean {
  return schema !== undefined && secretsOf(document, schema).length > 0;
}

/** A command, on as many lines as the width demands. */
function folded(command: string): readonly string[] {
  if (command.length + 2 <= WIDTH) return [`  ${command}`];
  const at = command.lastIndexOf(' --', WIDTH - 4);
  return [`  ${command.slice(0, at)} \\`, ...folded(`  ${command.slice(at + 1)}`)];
}
