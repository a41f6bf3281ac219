// The id and the secret of a new object: chosen by a control, or generated.

import type { Chosen, Environment } from '../environment.ts';
import { conflict, invalid } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import type { Table } from '../store/table.ts';
import { nextNumber, reserveNumber } from './numbers.ts';
import { newSecretToken, type TokenKind } from './secret-tokens.ts';
import { newUuid } from './source.ts';

/** An environment with chosen values; an absent value is not chosen. A token must be one word. */
export function choosing(environment: Environment, { id, secret }: Chosen): Environment {
  for (const text of [id, secret]) {
    if (text === '') throw invalid('an id, a token or a key may be left out, but not empty');
    if (/[\s/]/.test(text ?? '')) throw invalid(`neither a space nor a slash may be in ${text}`);
  }
  const chosen = { ...(id !== undefined && { id }), ...(secret !== undefined && { secret }) };
  return { ...environment, chosen };
}

type Records = Pick<Table<{ readonly id: string }>, 'get'>;

/** The id of a new record of a table. Throws a 409 if the chosen id is taken. */
export function objectId(table: Records, environment: Environment): string {
  return chosenId(table, environment) ?? environment.newId();
}

/** The id of a new record whose ids are UUIDs. Throws a 409 if the chosen id is taken. */
export function uuidId(table: Records, environment: Environment): string {
  return chosenId(table, environment) ?? newUuid(environment.random);
}

/** The id of a new record whose ids are numbers. Throws a 409 if the chosen id is taken. */
export function numberId(
  table: Records,
  { account, kind }: { readonly account: Account; readonly kind: string },
  environment: Environment,
): string {
  const id = chosenId(table, environment);
  // For a numeric id, a chosen value that is not a number can only be a name for the object.
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id)) return String(nextNumber(account, kind));
  reserveNumber(account, kind, Number(id));
  return id;
}

/**
 * The id of a new record whose ids are integers in the specification, and texts in dialect `netbird`. Throws a 409 if the chosen
 * id is taken.
 */
export function numberedId(
  table: Records,
  of: { readonly account: Account; readonly kind: string },
  environment: Environment,
): string {
  return environment.behaviour.numberedIds === 'integers'
    ? numberId(table, of, environment)
    : objectId(table, environment);
}

/**
 * The id of a new person, and their `idp_id`. The embedded provider of dialect `netbird` composes ids from a UUID and the name of
 * the provider, which is also the `idp_id`.
 */
export function personIds(table: Records, environment: Environment) {
  const { behaviour, signIn, random } = environment;
  const isProviders = behaviour.people === 'the provider' && signIn === 'embedded';
  const id =
    chosenId(table, environment) ??
    (isProviders ? providersId(newUuid(random)) : environment.newId());
  return { id, idp_id: isProviders ? PROVIDER : id };
}

/** The token of a new object. */
export function secretToken(kind: TokenKind, { chosen, random }: Environment): string {
  return chosen?.secret ?? newSecretToken(kind, random);
}

const PROVIDER = 'local';

/** A UUID and the provider, each preceded by its tag and length. */
function providersId(uuid: string): string {
  const part = (tag: number, text: string) =>
    Buffer.concat([Buffer.from([tag, text.length]), Buffer.from(text)]);
  const bytes = Buffer.concat([part(0x0a, uuid), part(0x12, PROVIDER)]);
  return bytes.toString('base64').replaceAll('=', '');
}

function chosenId(table: Records, { chosen }: Environment): string | undefined {
  const id = chosen?.id;
  if (id !== undefined && table.get(id) !== undefined) throw conflict(`the id ${id} is taken`);
  return id;
}
