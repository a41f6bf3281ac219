// An example command that calls an operation, with placeholders to fill in.
import { answerSchema, requestSchema } from '../../api/schema/bodies.ts';
import { exampleOf } from '../../api/schema/example.ts';
import { isSecretNode, secretsOf } from '../../api/schema/secrets.ts';
import { type DocumentNode, type NodeObject, nodeAt } from '../../contract/document.ts';
import type { Operation, Parameter } from '../../contract/index.ts';
import { shellQuoted } from '../../model/text/shellWord.ts';
import type { Json } from '../../model/value.ts';
import { WIDTH } from '../../report/text/style.ts';

/** The parts of an operation's example. */
export interface ExampleCall {
  /** The arguments after `meshform`, without a body. */
  readonly words: readonly string[];
  /** The body; absent if the operation has no body. */
  readonly body?: Json;
  /**
   * Whether the body is in a file. Other users of the machine can read a command line, so a secret
   * must not be in it.
   */
  readonly isInFile: boolean;
}

/** The name of the file that holds an example's body. */
const FILE = 'body.json';

/** An example of the smallest valid call. */
export function exampleCall(document: NodeObject, operation: Operation): ExampleCall {
  const { id, method, parameters, requestRequired } = operation;
  const request = requestRequired ? requestSchema(document, operation) : undefined;
  const makesSecrets = method !== 'GET' && hasSecrets(document, answerSchema(document, operation));
  return {
    words: [
      'api',
      'call',
      id,
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

/** The lines of the command, followed by the body if the body is in a file. */
export function exampleLines(document: NodeObject, operation: Operation): readonly string[] {
  const { words, body, isInFile } = exampleCall(document, operation);
  const command = ['meshform', ...words].join(' ');
  if (body === undefined) return folded(command);
  const line = `${command} --data ${shellQuoted(JSON.stringify(body))}`;
  if (!isInFile && line.length + 2 <= WIDTH) return [`  ${line}`];
  const file = JSON.stringify(body, null, 2).split('\n');
  return [
    ...folded(`${command} --data @${FILE}`),
    '',
    `  ${FILE}:`,
    '',
    ...file.map(text => `    ${text}`),
  ];
}

function parameterWord(document: NodeObject, { name, schema }: Parameter): string {
  const node = nodeAt(document, schema);
  if (node !== undefined && isSecretNode(node)) return `${name}=@${name}.txt`;
  return `${name}=${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

function hasSecrets(document: NodeObject, schema: DocumentNode | undefined): boolean {
  return schema !== undefined && secretsOf(document, schema).length > 0;
}

/** A command, wrapped to the available width. */
function folded(command: string): readonly string[] {
  if (command.length + 2 <= WIDTH) return [`  ${command}`];
  const at = command.lastIndexOf(' --', WIDTH - 4);
  return [`  ${command.slice(0, at)} \\`, ...folded(`  ${command.slice(at + 1)}`)];
}
