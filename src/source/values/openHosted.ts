// Opens secrets with a visible host again, from the sources in the plan: the values must be those that the plan was
// created with.
import isEqual from 'fast-deep-equal';
import { hostOf, hostPartsOf, secretPartsOf } from '../../kinds/values/hidden.ts';
import type { Fault } from '../../model/outcome.ts';
import {
  comparedWith,
  type HostedSecret,
  heldValue,
  type Mark,
} from '../../model/secrets/hostedSecret.ts';
import { SECRET_HOST } from '../../model/secrets/secretHost.ts';
import { positionIn, type YamlPosition } from '../../model/secrets/yamlPosition.ts';
import { unescapedKey } from '../../model/text/literalText.ts';
import { quoted } from '../../model/text/visible.ts';
import { valueAt } from '../../model/value.ts';
import { parseDocuments } from '../yaml/document.ts';
import type { SecretInputs } from './externalInputs.ts';
import { fromRun, layerOf } from './layerPaths.ts';
import { type Decrypt, openSecret } from './openSecret.ts';
import { secretReferences } from './reference.ts';
import { plainValue } from './variables.ts';

/** The inputs that are needed to open a secret with a visible host. */
export interface HostedInputs extends SecretInputs {
  /** The values of `${var:NAME}`. */
  readonly vars?: ReadonlyMap<string, string>;
  /** Marks values as the plan does. If absent, only hosts are compared. */
  readonly mark?: Mark;
}

/** The value of a secret, or why it cannot be sent. The process that created the plan still has the value in memory. */
export async function openHosted(
  secret: HostedSecret,
  inputs: HostedInputs,
  decrypt: Decrypt,
): Promise<string | Fault> {
  const held = heldValue(secret);
  if (held !== undefined) return held;
  const opened = await valueFrom(secret.$secret, inputs, decrypt);
  if (!('value' in opened)) return opened;
  const { value, text } = opened;
  for (const part of secretPartsOf(value)) inputs.onSecret?.(part);
  const where = sourceText(secret.$secret);
  const isHostSecret = secret.$host === SECRET_HOST;
  for (const part of isHostSecret ? hostPartsOf(value) : []) inputs.onSecret?.(part);
  if (!isHostSecret && hostOf(value) !== secret.$host)
    return stale(`the host of ${where} changed since the plan was made`);
  if (comparedWith(secret, value, inputs.mark, text) === 'other')
    return stale(`${where} changed since the plan was made`);
  return value;
}

/** A value, and the text with references that represents it. */
interface Opened {
  readonly value: string;
  readonly text?: string;
}

async function valueFrom(
  source: string,
  inputs: HostedInputs,
  decrypt: Decrypt,
): Promise<Opened | Fault> {
  if (source === '') {
    const hint = 'declare it, and create a new plan with `meshform plan`';
    return { code: 'SECRET_UNDEFINED', message: 'its source is not declared', hint };
  }
  const position = positionIn(source);
  if (position === null) return withText(source, await openSecret(source, inputs, decrypt));
  const written = textAt(position, inputs);
  const text = written && fromRun(written, layerOf(position.file, inputs.layers));
  if (text === undefined) return stale(`${sourceText(source)} no longer exists`);
  const references = secretReferences(text);
  // Only the secrets that the approved plan names are opened, so a changed file cannot cause another secret to be sent.
  if (!isEqual(references, position.references))
    return stale(`${sourceText(source)} changed since the plan was made`);
  if (references.length > 0) return withText(text, await openSecret(text, inputs, decrypt));
  const value = filled(text, position, inputs);
  return typeof value === 'string' ? { value } : value;
}

const withText = (text: string, value: string | Fault): Opened | Fault =>
  typeof value === 'string' ? { value, text } : value;

function textAt({ file, document, path }: YamlPosition, { file: read }: HostedInputs) {
  const text = read(file);
  const found = text === undefined ? undefined : parseDocuments({ file, text }).documents[document];
  const value = found && valueAt(found.value, path);
  return typeof value === 'string' ? value : undefined;
}

function filled(text: string, { file }: YamlPosition, inputs: HostedInputs): string | Fault {
  const at = { file, line: 1, column: 1 };
  const { value, diagnostics } = plainValue(
    unescapedKey(text),
    { ...inputs, vars: inputs.vars ?? new Map() },
    at,
  );
  const [fault] = diagnostics;
  if (!fault) return String(value);
  const { message, hint } = fault;
  return { code: 'SECRET_UNDEFINED', message, ...(hint !== undefined && { hint }) };
}

/** The source of a secret, for people. */
function sourceText(source: string): string {
  const position = positionIn(source);
  return position
    ? `the value at ${quoted(`${position.file}#/${position.path.join('/')}`)}`
    : quoted(source);
}

const stale = (message: string): Fault => ({
  code: 'PLAN_STALE',
  message,
  hint: 'create a new plan with `meshform plan` and review it',
});
