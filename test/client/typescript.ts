// The contract as TypeScript: a type for every record, and for every operation what it takes and what it answers.
// Knows the part of JSON Schema that the contract uses.
import { limitsOf } from '../../src/api/schema/limits.ts';
import {
  exclusionsOf,
  memberOf,
  ownPropertiesOf,
  type Property,
  partsOf,
  wordsAt,
} from '../../src/api/schema/walk.ts';
import {
  children,
  type DocumentNode,
  type NodeObject,
  nodeAt,
  textAt,
} from '../../src/contract/document.ts';
import type { Operation, Parameter } from '../../src/contract/index.ts';

const WIDTH = 120;
const RECORDS = '/components/schemas/';

const HEAD = `// The Management API as types: what every operation takes and answers. Made from schemas/openapi.yaml by
// test/client/freshness.test.ts, which BLESS=1 lets write it anew. Not to be edited.

/** A time, RFC 3339 in UTC. One that never was is the year 1. */
export type Timestamp = string;

/** An id in a path, as records show it. */
export type Id = string | number;

/** What has no fields. */
export interface Nothing {
  readonly [name: string]: never;
}
`;

/** The text of the generated file. */
export function typescriptOf(document: NodeObject, operations: readonly Operation[]): string {
  const writer = newWriter(document);
  const operationTypes = operations.map(operation => operationText(document, writer, operation));
  const texts = new Map<string, string>();
  // Writing a record may ask for further ones.
  for (const pointer of writer.records) {
    const schema = nodeAt(document, pointer);
    if (schema !== undefined) texts.set(pointer, recordText(document, writer, schema));
  }
  const all = nodeAt(document, '/components/schemas');
  const records = (all === undefined ? [] : children(document, all)).flatMap(
    ([name]) => texts.get(`${RECORDS}${name}`) ?? [],
  );
  const table = [
    '/** Every operation by its id. */',
    'export interface Operations {',
    operationTypes.join('\n'),
    '}',
    '',
  ].join('\n');
  return [HEAD, table, ...records].join('\n');
}

interface Writer {
  /** Pointers of the schemas that need a type of their own; grows while types are written. */
  readonly records: Set<string>;
  readonly typeOf: (schema: DocumentNode, indent: string) => string;
}

function newWriter(document: NodeObject): Writer {
  const records = new Set<string>();
  const typeOf = (schema: DocumentNode, indent: string): string => {
    const name = recordName(schema.pointer);
    if (name === undefined) return anonymousType(schema, indent);
    if (name !== 'Nothing') records.add(schema.pointer);
    return name;
  };
  const anonymousType = (schema: DocumentNode, indent: string): string => {
    const member = memberOf(document, schema);
    const forms = partsOf(document, schema, 'anyOf');
    const [type, ...others] = wordsAt(schema, 'type');
    const allowed = wordsAt(schema, 'enum').map(word => `'${word}'`);
    if (allowed.length > 0) return allowed.join(' | ');
    if (forms.length > 0) return forms.map(form => typeOf(form, indent)).join(' | ');
    if (type === 'array')
      return `readonly ${inList(member ? typeOf(member, indent) : 'unknown')}[]`;
    if (type === 'object' && member)
      return `{ readonly [name: string]: ${typeOf(member, indent)} }`;
    if (type === 'object') return bodyText(document, typeOf, schema, indent);
    const scalar = textAt(schema, 'format') === 'date-time' ? 'Timestamp' : scalarType(type);
    return [scalar, ...others].join(' | ');
  };
  return { records, typeOf };
}

function bodyText(
  document: NodeObject,
  typeOf: Writer['typeOf'],
  schema: DocumentNode,
  indent: string,
): string {
  const inner = `${indent}  `;
  const fields = ownPropertiesOf(document, schema).map(property => {
    const doc = docText(fieldDoc(document, property), inner);
    const { name, node, required } = property;
    return `${doc}${inner}readonly ${name}${required ? '' : '?'}: ${typeOf(node, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function recordText(document: NodeObject, { typeOf }: Writer, schema: DocumentNode): string {
  const name = recordName(schema.pointer) ?? '';
  const exclusions = exclusionsOf(document, schema).map(
    fields => `${fields.map(field => `\`${field}\``).join(' and ')} exclude each other.`,
  );
  const sentences = [
    textAt(schema, 'description'),
    ...limitSentence(document, schema),
    ...exclusions,
  ];
  const doc = docText([sentences.join(' ')], '');
  const bases = partsOf(document, schema, 'allOf').filter(part => recordName(part.pointer));
  const isRecord = ownPropertiesOf(document, schema).length > 0;
  if (!isRecord) return `${doc}export type ${name} = ${typeOf({ ...schema, pointer: '' }, '')};\n`;
  const parents = bases.map(base => typeOf(base, '')).join(', ');
  const head = `export interface ${name}${parents === '' ? '' : ` extends ${parents}`}`;
  return `${doc}${head} ${bodyText(document, typeOf, schema, '')}\n`;
}

function operationText(document: NodeObject, { typeOf }: Writer, operation: Operation): string {
  const { id, method, path, summary, description, replies, request } = operation;
  const marks = [
    operation.cloudOnly && 'Cloud only.',
    operation.embeddedIdp && 'Needs the embedded identity provider.',
    operation.public && 'Needs no credentials.',
  ].filter(mark => mark !== false);
  const doc = [
    `${summary}.`,
    [description, ...marks].filter(Boolean).join(' '),
    `\`${method} ${path}\``,
  ];
  const of = (where: Parameter['in']) => operation.parameters.filter(one => one.in === where);
  const body = request === undefined ? undefined : nodeAt(document, request);
  const parts = [
    parametersText(document, 'params', of('path')),
    parametersText(document, 'query', of('query')),
    body &&
      `      readonly body${operation.requestRequired ? '' : '?'}: ${typeOf(body, '      ')};\n`,
  ].filter(Boolean);
  const schema = replies.find(({ status }) => status === '200')?.schema;
  const answer = schema === undefined ? undefined : nodeAt(document, schema);
  return [
    `${docText(doc, '  ')}  readonly ${id}: {`,
    `    readonly method: '${method}';`,
    `    readonly input: ${parts.length === 0 ? 'Nothing' : `{\n${parts.join('')}    }`};`,
    `    readonly answer: ${answer ? typeOf(answer, '    ') : 'null'};`,
    '  };',
  ].join('\n');
}

function parametersText(
  document: NodeObject,
  name: string,
  parameters: readonly Parameter[],
): string {
  const fields = parameters.map(parameter => {
    const schema = nodeAt(document, parameter.schema);
    const limits = schema === undefined ? [] : limitSentence(document, schema);
    const allowed = (schema ? wordsAt(schema, 'enum') : []).map(word => `'${word}'`).join(' | ');
    const type = parameter.in === 'path' ? 'Id' : allowed || scalarType(parameter.type);
    const doc = docText([[parameter.description, ...limits].join(' ')], '        ');
    return `${doc}        readonly ${parameter.name}${parameter.required ? '' : '?'}: ${type};\n`;
  });
  if (fields.length === 0) return '';
  const isRequired = parameters.some(({ required }) => required);
  return `      readonly ${name}${isRequired ? '' : '?'}: {\n${fields.join('')}      };\n`;
}

function fieldDoc(document: NodeObject, { node }: Property): string[] {
  const isOwn = recordName(node.pointer) === undefined;
  const description = isOwn ? textAt(node, 'description') : '';
  const sentences = [description, ...(isOwn ? limitSentence(document, node) : [])];
  return [sentences.filter(Boolean).join(' ')];
}

function limitSentence(document: NodeObject, schema: DocumentNode): string[] {
  const text = limitsOf(document, schema)
    .filter(limit => limit !== 'RFC 3339')
    .join(', ');
  return text === '' ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
}

/** Paragraphs as a comment, on one line where they fit. */
function docText(paragraphs: readonly string[], indent: string): string {
  const said = paragraphs.filter(paragraph => paragraph !== '');
  const [only = ''] = said;
  if (said.length === 0) return '';
  const line = `${indent}/** ${only} */`;
  if (said.length === 1 && line.length <= WIDTH) return `${line}\n`;
  const lines = said
    .map(paragraph => wrapped(paragraph, WIDTH - indent.length - 3))
    .flatMap((part, i) => (i === 0 ? part : ['', ...part]));
  const body = lines.map(text => `${indent} * ${text}`.trimEnd());
  return [`${indent}/**`, ...body, `${indent} */`, ''].join('\n');
}

function wrapped(text: string, room: number): string[] {
  if (text.length <= room) return [text];
  const at = text.lastIndexOf(' ', room);
  return [text.slice(0, at), ...wrapped(text.slice(at + 1), room)];
}

function recordName(pointer: string): string | undefined {
  const name = pointer.startsWith(RECORDS) ? pointer.slice(RECORDS.length) : '';
  return name === '' || name.includes('/') ? undefined : name;
}

function scalarType(type = 'string'): string {
  return type === 'integer' ? 'number' : type;
}

const inList = (type: string): string => (type.includes(' | ') ? `(${type})` : type);
