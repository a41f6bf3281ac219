// The asynchronous control, which brings an account to a desired state only through the API. The parser of desired state is
// passed in, because the emulator does not know the format.
import { addCredential } from '../access/authentication.ts';
import { openOwned } from '../access/owned-account.ts';
import { newSecretToken } from '../ids/secret-tokens.ts';
import { done } from '../request/answer.ts';
import { invalid, precondition } from '../request/refusal.ts';
import { openInstallation } from '../store/account.ts';
import type { Control } from './control.ts';
import { enrolOnce } from './peers.ts';

/** Applies the desired state in the body, as YAML, to the account. Machines that it declares enrol first. */
export const loadDesiredState: Control = context => {
  const { rows, account, owner, loader, environment, store, address } = context;
  if (loader === undefined)
    throw precondition('this emulator was started without support for desired state');
  const yaml = context.text();
  const token = newSecretToken('personal', environment.random);
  const credential = addCredential(rows, token, { account: account.id, user: owner.id });
  const enrol = (name: string) =>
    store.transaction(open =>
      enrolOnce(openOwned(open, account.id, environment).account, name, environment),
    );
  return async () => {
    try {
      await loader(yaml, { url: address(), token, enrol });
      return done();
    } catch (error) {
      throw invalid(error instanceof Error ? error.message : String(error));
    } finally {
      store.transaction(open => openInstallation(open).credentials.remove(credential));
    }
  };
};
