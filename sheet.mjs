import { createCanvas, loadImage } from '@napi-rs/canvas'; import { readdirSync, writeFileSync } from 'node:fs';
const files = readdirSync('/tmp/shots').filter(f=>f.endsWith('-light-1600.png')).map(f=>f.replace('-light-1600.png',''));
const pick = process.argv.slice(2);
for (const f of files) { if (pick.length && !pick.some(p=>f.includes(p))) continue;
  const c = createCanvas(2004, 1192); const g = c.getContext('2d'); g.fillStyle = '#f0f'; g.fillRect(0,0,2004,1192);
  for (const [i,[t,w]] of [['light',1600],['black',1600],['light',1280],['black',1280]].entries()) { const im = await loadImage(`/tmp/shots/${f}-${t}-${w}.png`); g.drawImage(im, (i%2)*1004, Math.floor(i/2)*567, 1000, w===1600?563:625); }
  writeFileSync(`/tmp/shots/sheet${f}.png`, c.toBuffer('image/png'));
}
