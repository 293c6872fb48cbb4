const year = new Date().getFullYear();
const icp: string = import.meta.env.VITE_ICP_FILING ?? '粤ICP备2026000001号-1';
const police: string = import.meta.env.VITE_POLICE_FILING ?? '粤公网安备 44030000000001号';

/** Copyright and the two filing numbers; the numbers are set when the page is built. */
export function Filing() {
  return (
    <footer className="login-filing">
      <span>© {year} 跨境电商 ERP</span>
      <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer">
        {icp}
      </a>
      <a href="https://beian.mps.gov.cn/" target="_blank" rel="noopener noreferrer">
        {police}
      </a>
    </footer>
  );
}
