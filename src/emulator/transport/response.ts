// A response as it is sent: headers and text, or the effect of a fault on them.
import type { Json } from '../../model/value.ts';
import type { Answer } from '../request/answer.ts';
import type { Effect } from './faults.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Whether the connection is closed in the middle of the text. */
  readonly isCut: boolean;
}

const JSON_TYPE = 'application/json; charset=UTF-8';

/** A response with the body that `finish` returns; undefined if the connection is closed without a response. */
export function httpResponse(
  answer: Answer,
  finish: (body: Json, ordered: readonly string[]) => Json,
): HttpResponse | undefined {
  if ('isDropped' in answer) return undefined;
  const { status, headers } = answer;
  if ('text' in answer) {
    const type = answer.text === '' ? {} : { 'Content-Type': 'text/plain; charset=utf-8' };
    return { status, headers: { ...type, ...headers }, text: answer.text, isCut: false };
  }
  const { body: whole, ordered = [] } = answer;
  const body = status < 300 && ordered !== 'everywhere' ? finish(whole, ordered) : whole;
  const text = JSON.stringify(body);
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, text, isCut: false };
}

/**
 * The response that a fault sends instead of `whole`, which is absent if nothing was executed. Undefined if the fault sends
 * nothing.
 */
export function damaged(whole: HttpResponse | undefined, effect: Effect): HttpResponse | undefined {
  const { status, leaves } = effect;
  if (leaves === 'nothing' || leaves === 'silence') return undefined;
  if (leaves === 'answer') return whole;
  if (leaves === 'half the answer') return whole && { ...whole, isCut: true };
  if (leaves === 'page') {
    const headers = { 'Content-Type': 'text/html', ...effect.headers };
    const text = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`;
    return { status, headers, text, isCut: false };
  }
  const headers = { 'Content-Type': JSON_TYPE, ...effect.headers };
  const text = JSON.stringify({ message: 'a fault on demand', code: status });
  return { status, headers, text, isCut: false };
}
