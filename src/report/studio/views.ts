// The views of the access that the files describe, on the page of a studio: those of `access --html`.
import type { AccessPicture } from '../../model/access/accessPicture.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { blockedSection } from '../page/blocked.ts';
import { matrixData } from '../page/data.ts';
import { matrixSection } from '../page/matrix.ts';
import { networksSection } from '../page/networks.ts';
import { policiesSection } from '../page/policies.ts';
import type { Section } from '../page/section.ts';
import { sectionOf } from '../page/shell.ts';
import { partSection } from './parts.ts';

/** The views, and the data that their script reads. */
export interface StudioViews {
  readonly markup: string;
  readonly data: string;
}

/** The views of a picture. */
export function studioViews(picture: AccessPicture): StudioViews {
  const sections = [matrixSection, blockedSection, policiesSection, networksSection];
  const shown = sections.map(section => sectionOf(section(picture)).markup);
  return { markup: shown.join(''), data: jsonLine(matrixData(picture.matrix)) };
}

/** The place of the views. */
export const viewsSection = (): Section => partSection('views', 'The access of the files');
