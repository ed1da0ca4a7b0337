// Runs before the first paint, so that a chosen theme never flashes the other one. The policy allows no inline script, hence a file.
try {
  const theme = localStorage.getItem('lore.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's preference holds.
}
