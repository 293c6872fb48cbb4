import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import {
  carrierDetail,
  channelCards,
  countCarriers,
  listCarriers,
  listChannels,
} from '../../contract/transport/calls.ts';

export const EDIT_PATH = '/transportation/edit';
export const DETAIL_PATH = '/transportation/details';

/** Countries that Amazon sells in, with their Chinese names. */
export const COUNTRIES = [...new Map(MARKETPLACES.map(({ country, name }) => [country, `${name} ${country}`]))].map(
  ([value, label]) => ({ value, label }),
);

const TOUCHED = [listCarriers, countCarriers, carrierDetail, channelCards, listChannels];

/** Everything that shows carriers and their prices asks again. */
export async function refreshCarriers(): Promise<void> {
  await Promise.all(TOUCHED.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
