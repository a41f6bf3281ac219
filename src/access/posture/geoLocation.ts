// The posture check of the country and city from which a machine connects.
import { type Fields, isList, isObject } from '../../model/value.ts';
import type { Facts } from '../state/accessState.ts';
import { fail, type JudgedCheck, pass, unknown } from './verdict.ts';

/**
 * Judges `geo_location_check`. A machine fails if the server does not know its country, even if the
 * check denies locations.
 */
export function judgeLocation(
  { locations, action }: Fields,
  { country, city }: Facts,
): JudgedCheck {
  if (country === undefined) return unknown('the country is not known');
  if (country === '') return fail('the server does not know the country');
  const listed = isList(locations) ? locations.filter(isObject) : [];
  // The server stores the code as written, and compares it unchanged (docs/server-behaviour.md#posture-checks).
  const sameCountry = listed.filter(({ country_code: code }) => code === country);
  const isListed = sameCountry.some(({ city_name }) => !city_name || city_name === city);
  const isOpen = sameCountry.some(({ city_name }) => city_name) && city === undefined;
  if (!isListed && isOpen) return unknown('the city is not known', action === 'deny');
  const location = city ? `${country} ${city}` : country;
  if (action === 'deny')
    return isListed ? fail(`${location} is denied`) : pass(`${location} is not denied`);
  return isListed ? pass(`${location} is allowed`) : fail(`${location} is not allowed`);
}
