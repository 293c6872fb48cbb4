// Runs before the first paint: a page in the black theme must not flash white.
document.documentElement.dataset.theme = localStorage.getItem('theme') === 'black' ? 'black' : 'light';
