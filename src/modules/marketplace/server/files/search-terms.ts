import { z } from 'zod';
import { jsonReader } from './json-report.ts';

const Item = z.object({
  departmentName: z.string(),
  searchTerm: z.string().min(1),
  searchFrequencyRank: z.int().min(1),
  clickedAsin: z.string(),
  clickedItemName: z.string().nullish(),
  clickShareRank: z.int().min(1),
  clickShare: z.number().min(0).max(1),
  conversionShare: z.number().min(0).max(1),
});

/** A product that is clicked on after a search. Shares are exact ratios: "0.0771" is 7.71 %. */
export interface SearchTermRow {
  lineNo: number;
  problem: undefined;
  /** First day of the period. */
  day: string;
  department: string;
  term: string;
  rank: number;
  asin: string;
  title: string;
  clickRank: number;
  clickShare: string;
  conversionShare: string;
}

/** GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT: what everybody searches for, and what is clicked on then. */
export const searchTerms = jsonReader<SearchTermRow>({
  type: 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT',
  title: '品牌分析搜索词报告',
  shapes: { dataByDepartmentAndSearchTerm: Item },
  items: {
    dataByDepartmentAndSearchTerm: (item: z.infer<typeof Item>, { dataStartTime }) => ({
      lineNo: 0,
      problem: undefined,
      day: dataStartTime,
      department: item.departmentName,
      term: item.searchTerm,
      rank: item.searchFrequencyRank,
      asin: item.clickedAsin,
      title: item.clickedItemName ?? '',
      clickRank: item.clickShareRank,
      clickShare: String(item.clickShare),
      conversionShare: String(item.conversionShare),
    }),
  },
});
