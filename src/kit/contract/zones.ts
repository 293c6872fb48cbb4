/** IANA zones that are offered where somebody picks one. */
export const TimeZones = {
  'Asia/Shanghai': '北京时间',
  'Asia/Hong_Kong': '香港',
  'Asia/Singapore': '新加坡',
  'Asia/Tokyo': '东京',
  'Asia/Dubai': '迪拜',
  'Europe/London': '伦敦',
  'Europe/Berlin': '柏林',
  'America/New_York': '纽约',
  'America/Chicago': '芝加哥',
  'America/Los_Angeles': '洛杉矶',
  'Australia/Sydney': '悉尼',
  UTC: 'UTC',
} as const;
