// Compiles schemas of the document when they are first needed, and keeps them. Knows nothing of operations.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { NETBIRD_SCHEMA } from './dialects.ts';
import type { NodeObject } from './document.ts';
import { type Violation, violations } from './violations.ts';

/** Checks `value` against the schema at a JSON pointer of the document; an empty list means that it is valid. */
export type Check = (schema: string, value: unknown) => readonly Violation[];

const DOCUMENT_ID = 'openapi.json';
/** The extension keywords of schemas. */
const EXTENSIONS = ['x-cloud-only', 'x-ordered', 'x-kept-order', 'x-secret', NETBIRD_SCHEMA];
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A `Check` over the schemas of `document`. It throws if a schema is missing or has an unknown keyword. */
export function newCheck(document: NodeObject): Check {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: true,
    strictTuples: true,
  });
  // Only the parts at the pointers are schemas, not the document itself, so the validator must accept the other keys of the
  // document.
  ajv.addVocabulary([...EXTENSIONS, ...Object.keys(document)]);
  ajv.addFormat('date-time', {
    type: 'string',
    validate: text => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
  });
  ajv.addSchema(document, DOCUMENT_ID, undefined, false);
  return (schema, value) => {
    const validate = ajv.getSchema(`${DOCUMENT_ID}#${fragment(schema)}`);
    if (validate === undefined) throw new Error(`openapi.json: no schema at ${schema}`);
    return validate(value) ? [] : violations(validate.errors ?? []);
  };
}

function fragment(pointer: string): string {
  return pointer.split('/').map(encodeURIComponent).join('/');
}
