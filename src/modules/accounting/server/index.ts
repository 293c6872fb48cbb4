export { demoBooks } from './demo.ts';
