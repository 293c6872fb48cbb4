import { createCanvas, loadImage } from '@napi-rs/canvas'; import { writeFileSync } from 'node:fs';
const [,, f, x, y, w, h, s='2'] = process.argv; const im = await loadImage(f); const c = createCanvas(w*s, h*s); const g=c.getContext('2d'); g.imageSmoothingEnabled=false; g.drawImage(im, x,y,w,h,0,0,w*s,h*s); writeFileSync('/tmp/shots/crop.png', c.toBuffer('image/png'));
