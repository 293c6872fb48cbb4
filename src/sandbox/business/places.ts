/** Where the fictitious buyers live: city, state, start of the postal code, sales tax in basis points. */

export interface Place {
  city: string;
  state: string;
  postalCode: string;
  /** Tax added at check-out; 0 where prices include the tax. */
  taxBasisPoints: number;
}

const TABLE: Record<string, string> = {
  US: 'Seattle,WA,98101,1010;Austin,TX,78701,825;Denver,CO,80202,881;Portland,OR,97201,0;Chicago,IL,60601,1025;Atlanta,GA,30303,890;Boston,MA,02108,625;Phoenix,AZ,85004,860;San Diego,CA,92101,775;Columbus,OH,43215,750;Tampa,FL,33602,750;Albany,NY,12207,800',
  CA: 'Toronto,ON,M5H 2N2,1300;Ottawa,ON,K1P 5M7,1300;Montreal,QC,H2Y 1C6,1498;Vancouver,BC,V6B 1A1,1200;Calgary,AB,T2P 1J9,500;Halifax,NS,B3J 1S9,1400;Winnipeg,MB,R3C 1A3,1200',
  GB: 'London,,EC1A 1BB,0;Leeds,,LS1 4DY,0;Bristol,,BS1 5TR,0;Glasgow,,G2 1DY,0;Cardiff,,CF10 1EP,0;Manchester,,M1 1AE,0;Norwich,,NR1 3JU,0',
  DE: 'Berlin,Berlin,10115,0;Hamburg,Hamburg,20095,0;München,Bayern,80331,0;Köln,Nordrhein-Westfalen,50667,0;Leipzig,Sachsen,04109,0;Stuttgart,Baden-Württemberg,70173,0;Lübeck,Schleswig-Holstein,23552,0',
  FR: 'Paris,,75002,0;Lyon,,69002,0;Marseille,,13001,0;Nantes,,44000,0;Lille,,59000,0;Orléans,,45000,0;Besançon,,25000,0',
  JP: '千代田区,東京都,100-0001,0;大阪市,大阪府,530-0001,0;名古屋市,愛知県,450-0002,0;札幌市,北海道,060-0001,0;福岡市,福岡県,810-0001,0;横浜市,神奈川県,220-0011,0;仙台市,宮城県,980-0021,0',
};

const places = new Map<string, readonly Place[]>();

/** Places of a country. Throws RangeError for a country without any. */
export function placesOf(countryCode: string): readonly Place[] {
  let list = places.get(countryCode);
  if (!list) {
    const text = TABLE[countryCode];
    if (text === undefined) throw new RangeError(`no places in ${countryCode}`);
    list = text.split(';').map((entry) => {
      const [city = '', state = '', postalCode = '', tax = '0'] = entry.split(',');
      return { city, state, postalCode, taxBasisPoints: Number(tax) };
    });
    places.set(countryCode, list);
  }
  return list;
}

/** Place number `index` of a country, counted round. */
export function placeOf(countryCode: string, index: number): Place {
  const list = placesOf(countryCode);
  const place = list[index % list.length];
  if (!place) throw new RangeError(`no place ${index} in ${countryCode}`);
  return place;
}
