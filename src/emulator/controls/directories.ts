// External systems: the content of a directory, and DNS records.
import { synchronise } from '../people/directory-sync.ts';
import { done, ok } from '../request/answer.ts';
import { list, object, text } from '../request/body.ts';
import { notFound } from '../request/refusal.ts';
import type { Control } from './control.ts';

const CONTENT = object({
  users: list(object({ email: text, name: text })),
  groups: list(object({ name: text, members: list(text) })),
});

/** A directory that pushes its changes. */
const TELLS = 'scim-idp';

/**
 * Makes `users` and `groups`, whose `members` are emails, what a directory holds. SCIM brings them over at once, the other
 * directories when they are asked next.
 */
export const fillDirectory: Control = ({ account, environment, path, body }) => {
  const [segment, id] = [path('directory'), path('id')];
  const integration = account.directory(segment).get(id);
  if (integration === undefined) throw notFound('integration', id);
  account.directoryContent(segment).put({ id, ...body(CONTENT) });
  if (segment === TELLS && integration.enabled)
    synchronise(account, segment, integration, environment);
  return done();
};

/** Makes `texts` what the DNS says of a `domain`. Answers the same. */
export const publishDns: Control = ({ account, body }) => {
  const { domain, texts } = body(object({ domain: text, texts: list(text) }));
  account.installation.dns.put({ id: domain, texts });
  return ok({ domain, texts });
};
