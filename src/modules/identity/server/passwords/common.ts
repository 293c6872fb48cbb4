import { dictionary } from '@zxcvbn-ts/language-common';

/** The tens of thousands of passwords that were found most often, in lower case. */
const KNOWN = new Set<string>(dictionary['passwords-common']);

// Cores of passwords that guessers try first. Compared after the look-alikes have been turned back into letters and the
// digits and signs around the core have been taken off, so one core stands for "Password1", "P@ssw0rd!" and "123Password".
const WORDS = `
password passwort passwd passwrd passw pass pwd pw mypassword yourpassword newpassword oldpassword passwordpassword
admin administrator adminadmin root rootroot toor sysadmin superadmin superuser manager user username guest test
testing tester testtest temp temporary default changeme change changeit secret letmein letmeinnow login logon signin
welcome welcometo hello helloworld hi hey access master masterkey security secure private public system server
qwer qwert qwerty qwertyu qwertyui qwertyuiop qwertz qazwsx qazwsxedc qaz wsx edc zaq xsw zaqxsw zxc zxcv zxcvb zxcvbn
zxcvbnm asd asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl qweasd qweasdzxc asdzxc wasd poiuyt lkjhgf mnbvcxz
a aa aaa aaaa aaaaaa aaaaaaaa abcabc abcd abcde q qq qqq qw we wer er w ww x xx xxx z zz zzz
iloveyou loveyou iloveu loveme love lover lovely lovelove mylove princess prince sunshine dragon monkey football
baseball basketball soccer hockey batman superman spiderman starwars pokemon naruto shadow michael jordan jennifer
jessica ashley daniel charlie thomas robert andrew matthew joshua anthony william george hunter harley ranger buster
tigger maggie pepper ginger cookie summer winter spring autumn monday friday january december flower freedom whatever
trustno trustnoone trustme killer hacker matrix computer internet google facebook twitter linkedin apple iphone
samsung android windows microsoft oracle mysql postgres postgresql database linux ubuntu
amazon seller amazonseller erp crossborder company office business china beijing shanghai shenzhen guangzhou hangzhou
woaini woaiwo woaiwojia aini nihao wangyi baidu taobao tianmao alibaba tencent weixin wechat zhifubao zhongguo
mima wodemima denglu guanliyuan wang zhang liu chen yang huang zhao zhou
asdasd asdqwe qweqwe qwerasdf zxczxc dearbook asshole fuckyou fuck shit pussy mustang corvette ferrari porsche
`;

const COMMON = new Set(WORDS.trim().split(/\s+/));

const LOOK_ALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};

const bare = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
const onlyLetters = (text: string) => text.replace(/[^\p{L}]+/gu, '');
const asLetters = (text: string) => [...text].map((sign) => LOOK_ALIKES[sign] ?? sign).join('');

/** Whether a password, whatever its case, is among the commonest, or a variation of one that everybody tries first, e.g. "P@ssw0rd123". */
export function isCommon(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  if (KNOWN.has(lower)) return true;
  // Digits around the core are taken off before and after the look-alikes are read as letters.
  const cores = [bare(lower), onlyLetters(lower), asLetters(bare(lower)), bare(asLetters(lower))];
  return cores.some((core) => core.length > 0 && COMMON.has(core));
}
