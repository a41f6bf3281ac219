// A call that failed, as `api call` tells of it: all that the server said, and no secret of the request.
import { ApiError } from '../../model/errors.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';

/** What stands where a secret was. */
const HIDDEN = '(secret)';
/** Characters of an answer that are shown; no refusal that is meant for people has more. */
const LONGEST = 2_000;

/** The same error for a person to read. `refusedBody` is what the server answered, as it came; empty where it did not. */
export function toldFailure(
  { details }: ApiError,
  refusedBody: string,
  secrets: readonly string[],
): ApiError {
  const { request, mayHaveHappened } = details;
  const told = (text: string): string => withoutSecrets(text, secrets);
  const more = [
    ...moreThanItsSentence(refusedBody).map(text => `  the response: ${told(text)}`),
    ...(mayHaveHappened
      ? ['  the server may have executed the request: check the account before you call it again']
      : []),
  ];
  return new ApiError({
    ...details,
    request: { ...request, path: told(request.path) },
    message: told(details.message),
    more,
  });
}

/** A text in which no secret of the request stands, neither as it is nor as a path spells it. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  // The longest first: one may be a part of another.
  const longestFirst = [...secrets]
    .filter(secret => secret !== '')
    .flatMap(secret => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

// The message already has the sentence of an ordinary refusal, and the first words of anything else.
function moreThanItsSentence(body: string): readonly string[] {
  const value = jsonOf(body);
  if (!isObject(value)) return [];
  const { message, code, ...more } = value;
  return Object.keys(more).length === 0 ? [] : [JSON.stringify(value).slice(0, LONGEST)];
}
