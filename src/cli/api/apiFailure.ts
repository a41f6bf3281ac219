// The error of a failed call, as `api call` reports it: everything that the server sent, without the secrets of the request.
import { ApiError } from '../../model/errors.ts';
import { KnownSecrets, SHORTEST } from '../../model/secrets/knownSecrets.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';

/** The text in place of a secret. */
const HIDDEN = '(secret)';
/**
 * The maximum number of characters of a response that are shown. It is larger than in other error
 * messages.
 */
const LONGEST = 2_000;

/**
 * The error, with details from the response. `refusedBody`: the response body as received; empty if
 * there was no response.
 */
export function redactedFailure(
  { details }: ApiError,
  refusedBody: string,
  secrets: readonly string[],
): ApiError {
  const { request, mayHaveHappened } = details;
  const redacted = (text: string): string => withoutSecrets(text, secrets);
  const more = [
    // Searches twice as many characters as are shown, so that the shown text does not end within a secret.
    ...moreThanItsSentence(refusedBody).map(
      text => `  the response: ${redacted(text.slice(0, 2 * LONGEST)).slice(0, LONGEST)}`,
    ),
    ...(mayHaveHappened
      ? ['  the server may have executed the request: check the account before you call it again']
      : []),
  ];
  return new ApiError({
    ...details,
    request: { ...request, path: redacted(request.path) },
    message: redacted(details.message),
    more,
  });
}

/**
 * The text without the secrets of the request, in any spelling. Short secrets are removed only in
 * their written form, because their other spellings may occur by chance.
 */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = new KnownSecrets();
  for (const secret of secrets) known.add(secret);
  const short = secrets.filter(secret => secret !== '' && secret.trim().length < SHORTEST);
  return short.reduce(
    (shown: string, secret) => shown.replaceAll(secret, HIDDEN),
    known.redact(text),
  );
}

// The lines of a body that the message does not contain yet. For an ordinary refusal, the message
// already contains the sentence in the body; for any other body, its first words.
function moreThanItsSentence(body: string): readonly string[] {
  const value = jsonOf(body);
  if (!isObject(value)) return [];
  const { message, code, ...more } = value;
  return Object.keys(more).length === 0 ? [] : [JSON.stringify(value)];
}
